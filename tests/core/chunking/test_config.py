from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Chunked

Chunker = Callable[..., Chunked]


def long(line: str) -> str:
    return "\n".join(line.format(n) for n in range(24))


def test_toml_and_ini_sections_give_the_path(chunked: Chunker) -> None:
    keys, others = long("key_{0} = {0}"), long("k{0} = {0}")
    text = f"top = 1\n\n# about a\n[tool.a]\n{keys}\n\n[[b]]\n{others}\n"
    for source in ("a.toml", "setup.cfg"):
        result = chunked(source, text, target=500)
        assert result.holding("key_3").path == ("tool.a",)
        assert result.holding("key_3").content.startswith("# about a\n[tool.a]")
        assert result.holding("k3 =").path == ("b",)


def test_top_level_yaml_keys_give_the_path(chunked: Chunker) -> None:
    jobs, events = long("  job-{0}: x"), long("  - when {0}: x")
    text = f'name: ci\n# jobs\njobs:\n{jobs}\n"on push":\n{events}\n'
    result = chunked("a.yml", text, target=400)
    assert result.holding("job-3:").path == ("jobs",)
    assert result.holding("job-3:").content.startswith("# jobs\njobs:")
    assert result.holding("when 3:").path == ("on push",)


@pytest.mark.parametrize("newline", ["\n", ""])
def test_top_level_json_keys_give_the_path(chunked: Chunker, newline: str) -> None:
    members = f",{newline}".join(f'"inner {n}": {{"x": "}}{{"}}' for n in range(12))
    text = f'{{"name": "x",{newline}"scripts": {{{members}}},{newline}"other": {{{members}}}}}'
    result = chunked("package.json", text, target=400)
    assert result.paths == [(), ("scripts",), ("other",)]
    assert result.contents[0].startswith('{"name"')


def test_small_sections_share_a_chunk(chunked: Chunker) -> None:
    result = chunked("a.yaml", "a: 1\nb: 2\nc: 3\n")
    assert result.contents == ["a: 1\nb: 2\nc: 3"]
    assert result.paths == [()]


def test_a_long_section_is_split_between_lines_that_keep_their_indentation(
    chunked: Chunker,
) -> None:
    text = f"jobs:\n{long('    job-{0}: something')}"
    contents = chunked("a.yaml", text, target=100).contents
    assert len(contents) > 3
    assert "\n".join(contents) == text


def test_other_formats_are_split_at_blank_lines(chunked: Chunker) -> None:
    text = "\n\n".join(long(f"<{name}>{{0}}</{name}>") for name in "abc")
    contents = chunked("a.xml", text, target=300).contents
    assert [content[:3] for content in contents] == ["<a>", "<b>", "<c>"]
