from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Chunked

Chunker = Callable[..., Chunked]


HOST = "h" * 200


def long(line: str) -> str:
    return "\n".join(line.format(n) for n in range(24))


def test_toml_and_ini_sections_give_the_path(chunked: Chunker) -> None:
    keys, others = long("key_{0} = {0}"), long("k{0} = {0}")
    text = f"top = 1\n\n# about a\n[tool.a]\n{keys}\n\n[[b]]\n{others}\n"
    for source, paths in (
        ("a.toml", [("tool", "a"), ("b[0]",)]),
        ("setup.cfg", [("tool.a",), ("b",)]),
    ):
        result = chunked(source, text, target=500)
        assert result.holding("key_3").path == paths[0]
        assert result.holding("key_3").content.startswith("# about a\n[tool.a]")
        assert result.holding("k3 =").path == paths[1]


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
    assert result.paths == [("name",), ("scripts",), ("other",)]
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


def test_a_long_key_is_taken_apart_along_the_keys_inside_it(chunked: Chunker) -> None:
    lines = "\n".join(f'cert_{n} = "{"x" * 30}"' for n in range(6))
    toml = f'[server]\nhost = "{HOST}"\n\n# secure\n[server.tls]\n{lines}\n[other]\nx = 1\n'
    yaml = (
        f"server:\n  host: {HOST}\n\n  # secure\n  tls:\n"
        + "".join(f"    cert_{n}: {'x' * 30}\n" for n in range(6))
        + "other:\n  x: 1\n"
    )
    json = (
        f'{{\n  "server": {{\n    "host": "{HOST}",\n    // secure\n    "tls": {{\n'
        + "".join(f'      "cert_{n}": "{"x" * 30}",\n' for n in range(6))
        + '    }\n  },\n  "other": {"x": 1}\n}\n'
    )
    for source, text in (("a.toml", toml), ("a.yaml", yaml), ("a.json", json)):
        result = chunked(source, text, target=340)
        assert result.holding("hhhh").path[0] == "server"
        assert result.holding("cert_5").path == ("server", "tls")
        assert result.holding("cert_5").content.lstrip().startswith(("# secure", "// secure"))
        apart = chunked(source, text, target=60)
        assert apart.holding("cert_5").path == ("server", "tls", "cert_5")


def test_elements_of_arrays_are_counted(chunked: Chunker) -> None:
    fill = "x" * 60
    toml = "".join(f'[[servers]]\nname = "{fill}"\nnumber = {n}\n' for n in range(4))
    yaml = "servers:\n" + "".join(f"- name: {fill}\n  number: {n}\n" for n in range(4))
    members = ",\n".join(f'  {{"name": "{fill}", "number": {n}}}' for n in range(4))
    json = f'{{"servers": [\n{members}\n]}}'
    for source, text in (("a.toml", toml), ("a.yaml", yaml), ("a.json", json)):
        paths = chunked(source, text, target=110).paths
        assert paths == [(f"servers[{n}]",) for n in range(4)]


def test_what_looks_like_a_key_inside_a_value_is_none(chunked: Chunker) -> None:
    fill = "x" * 80
    toml = f'a = [\n  [1],\n[2]\n]\nb = """\n[no]\nkey = 1\n"""\n[t]\nc = "{fill}"\nd = "{fill}"\n'
    yaml = f"a: |\n  no: 1\n  [x]: 2\nb: >-\n  neither: 1\nt:\n  c: {fill}\n  d: {fill}\n"
    json = f'{{"a": "{{ \\"no\\": [", "b": ["x: y", 1],\n"t": {{"c": "{fill}", "d": "{fill}"}}}}'
    for source, text in (("a.toml", toml), ("a.yaml", yaml), ("a.json", json)):
        paths = {path for path in chunked(source, text, target=100).paths if path}
        assert paths <= {("a",), ("b",), ("t", "c"), ("t", "d")}
        assert {("t", "c"), ("t", "d")} <= paths


def test_the_documents_of_a_yaml_stream_stay_apart(chunked: Chunker) -> None:
    text = f"kind: One\nname: {'x' * 60}\n---\nkind: Two\nname: {'y' * 60}\n"
    result = chunked("a.yaml", text, target=100)
    assert result.holding("Two").content.startswith("---\nkind: Two")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a.json", "[" * 100_000),
        ("a.json", '{"a":' * 50_000),
        ("a.yaml", "- " * 100_000),
        ("a.yaml", "".join(f"{' ' * n}a:\n" for n in range(500))),
        ("a.yaml", "a " * 50_000),
        ("a.toml", f"a = {'[' * 100_000}"),
        ("a.toml", f"[{'a.' * 50_000}b]"),
        ("a.toml", f"a{' ' * 100_000}"),
    ],
)
def test_hostile_nesting_costs_no_more_than_its_length(
    chunked: Chunker, source: str, text: str
) -> None:
    assert "".join(chunked(source, text).contents).split() == text.split() or source == "a.yaml"
    assert all(len(path) <= 8 for path in chunked(source, text).paths)
