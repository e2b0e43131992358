from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Chunked

Chunker = Callable[..., Chunked]
BODY = "A sentence that fills the section. " * 8


def test_headings_give_the_path(chunked: Chunker) -> None:
    text = f"# Guide\n{BODY}\n## Install\n{BODY}\n### Linux\n{BODY}\n## Use\n{BODY}\n# End\n{BODY}"
    assert chunked("a.md", text).paths == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Use"),
        ("End",),
    ]


def test_a_heading_is_in_the_chunk_of_its_text(chunked: Chunker) -> None:
    result = chunked("a.md", f"# One\n\n{BODY}\n\nTwo\n---\n\n{BODY}")
    assert [content[:5] for content in result.contents] == ["# One", "Two\n-"]
    assert result.paths == [("One",), ("One", "Two")]


def test_setext_headings_count_with_any_line_end(chunked: Chunker) -> None:
    text = f"Top\n===\n{BODY}\n\nSub\n---\n{BODY}"
    for newline in ("\n", "\r\n", "\r"):
        assert chunked("a.md", text.replace("\n", newline)).paths == [("Top",), ("Top", "Sub")]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("The `code` of *it*", "The code of it"),
        ("[Link](https://x.y/a_(b)) and [ref][1]", "Link and ref"),
        ("![Logo](a.png) Name", "Logo Name"),
        ("**Bold** _under_ ~~gone~~", "Bold under gone"),
        ("snake_case_name and 2*3*4", "snake_case_name and 234"),
        ("`__init__` stays", "__init__ stays"),
        ("`a*b*c` and `` ` ``", "a*b*c and `"),
        (r"\*not emphasis\*", "*not emphasis*"),
        ("Closing ##", "Closing"),
        ("C#", "C#"),
        ("<a id='x'></a>Anchor", "Anchor"),
        ("Mail <me@x.org>", "Mail me@x.org"),
        ("Q &amp; A", "Q & A"),
        ("Custom {#my-id}", "Custom"),
        ("List<T> here", "List here"),
    ],
)
def test_headings_lose_their_markup(chunked: Chunker, source: str, name: str) -> None:
    assert chunked("a.md", f"# {source}\n{BODY}").paths == [(name,)]


def test_a_long_heading_is_shortened_between_words(chunked: Chunker) -> None:
    (path,) = chunked("a.md", f"# {'word ' * 100}\n{BODY}").paths
    assert 150 < len(path[0]) <= 200
    assert path[0].endswith("word")


def test_what_looks_like_a_heading_inside_code_is_none(chunked: Chunker) -> None:
    text = f"# Real\n{BODY}\n```sh\n# comment\n```\n\n    # indented\n\n<!--\n# hidden\n-->\n"
    assert set(chunked("a.md", text).paths) == {("Real",)}


def test_a_heading_inside_a_list_or_quote_opens_no_section(chunked: Chunker) -> None:
    text = f"# Real\n{BODY}\n> # Quoted\n> {BODY}\n\n- # Listed\n  {BODY}\n"
    assert set(chunked("a.md", text).paths) == {("Real",)}


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("```", "```"), ("~~~", "~~~"), ("`````py", "``````"), ("   ```", " ```"), ("```", "")],
)
def test_a_fence_is_not_split(chunked: Chunker, opening: str, closing: str) -> None:
    code = "\n\n".join(f"line_{n} = {n}  # ```x" for n in range(9))
    fence = f"{opening}\n{code}\n{closing}".rstrip()
    text = f"{BODY}\n\n{fence}\n"
    assert fence.strip() in chunked("a.md", text, target=200, cap=400).holding("line_0").content


@pytest.mark.parametrize("prefix", ["> ", "- ", "1. - "])
def test_a_fence_inside_a_list_or_quote_is_not_split(chunked: Chunker, prefix: str) -> None:
    rest = prefix if prefix == "> " else " " * len(prefix)
    code = f"\n{rest}\n".join(f"{rest}line_{n}" for n in range(9))
    text = f"{BODY}\n\n{prefix}```\n{code}\n{rest}```\n\n{BODY}"
    content = chunked("a.md", text, target=200, cap=400).holding("line_0").content
    assert "line_8" in content


def test_a_table_is_not_split(chunked: Chunker) -> None:
    rows = "\n".join(f"| name {n} | value {n} |" for n in range(12))
    text = f"{BODY}\n\n| name | value |\n|---|---|\n{rows}\n\n{BODY}"
    content = chunked("a.md", text, target=200, cap=400).holding("name 0").content
    assert content.startswith("| name | value |")
    assert content.endswith("| name 11 | value 11 |")


def test_a_fence_longer_than_the_cap_is_split_between_lines(chunked: Chunker) -> None:
    lines = [f"    call_number_{n}(argument)" for n in range(40)]
    text = "```\n" + "\n".join(lines) + "\n```\n"
    result = chunked("a.md", text, target=200, cap=400)
    assert len(result.chunks) > 2
    assert "\n".join(result.contents) == text.strip()


def test_indented_code_keeps_its_indentation(chunked: Chunker) -> None:
    text = f"{BODY}\n\n    first = 1\n\n    second = 2\n\n{BODY}"
    content = chunked("a.md", text, target=60, cap=400).holding("first").content
    assert content == "    first = 1\n\n    second = 2"


def test_a_list_is_split_between_its_outer_items(chunked: Chunker) -> None:
    items = [f"- item {n}\n  - {'inner ' * 8}\n  - {'more ' * 8}" for n in range(8)]
    contents = chunked("a.md", "\n".join(items), target=300).contents
    assert len(contents) > 2
    assert all(content.startswith("- item") for content in contents)


def test_what_a_colon_announces_stays_with_it(chunked: Chunker) -> None:
    text = f"{BODY}\n\nRun this:\n\n```\n{'x' * 150}\n```\n\n{BODY}"
    assert "Run this:" in chunked("a.md", text, target=320, cap=640).holding("xxx").content


def test_a_paragraph_longer_than_the_cap_is_split_between_sentences(chunked: Chunker) -> None:
    text = "This is a sentence (with a bracket.) And here is one more. " * 20
    contents = chunked("a.md", text, target=200, cap=300).contents
    assert all(content.endswith((".", ".)")) for content in contents)


def test_cjk_sentences_count(chunked: Chunker) -> None:
    text = "これは文です。とても短い文！次の文は質問ですか？" * 20
    contents = chunked("a.md", text, target=60, cap=100).contents
    assert all(content.endswith(("。", "！", "？")) for content in contents)


def test_a_heading_without_text_joins_the_section_below(chunked: Chunker) -> None:
    result = chunked("a.md", f"# Guide\n\n## Install\n\n{BODY}")
    assert result.paths == [("Guide", "Install")]
    assert result.contents[0].startswith("# Guide\n\n## Install")


def test_a_last_heading_without_text_joins_the_section_above(chunked: Chunker) -> None:
    result = chunked("a.md", f"# Guide\n\n{BODY}\n\n## See also\n")
    assert result.paths == [("Guide",)]
    assert result.contents[0].endswith("## See also")


def test_small_sections_stay_apart(chunked: Chunker) -> None:
    result = chunked("a.md", "Intro.\n\n# A\nOne.\n\n## B\nTwo.\n\n## C\nThree.\n")
    assert result.paths == [(), ("A",), ("A", "B"), ("A", "C")]


def test_text_inserted_above_changes_no_other_section(chunked: Chunker) -> None:
    text = f"# A\nOne.\n\n## B\n{BODY * 5}\n\n## C\nThree.\n"
    before = chunked("a.md", text).contents
    assert chunked("a.md", f"Inserted.\n\n{text}").contents == ["Inserted.", *before]
    changed = chunked("a.md", text.replace("One.", "One.\nInserted.")).contents
    assert changed[1:] == before[1:]


def test_a_heading_without_a_name_is_not_in_the_path(chunked: Chunker) -> None:
    result = chunked("a.md", f"#\n\nOne.\n\n## B\n\n{BODY}\n\n# A\n\nTwo.\n")
    assert result.paths == [(), ("B",), ("A",)]
    assert result.title == "A"


@pytest.mark.parametrize(
    ("matter", "title"),
    [
        ("---\ntitle: The Title\n---\n", "The Title"),
        ("---\r\ntitle: 'It''s'\r\n---\r\n", "It"),
        ('---\nlayout: x\ntitle: "A: B" # c\n---\n', "A: B"),
        ("---\ntitle: Plain # comment\n...\n", "Plain"),
        ("---\ntitle: >-\n  Folded\n  more\n---\n", "Folded"),
        ('+++\ntitle = "Toml"\n+++\n', "Toml"),
        ("---\nlayout: x\n---\n", "Heading"),
        ("", "Heading"),
    ],
)
def test_the_title_is_of_the_front_matter_or_the_first_heading(
    chunked: Chunker, matter: str, title: str
) -> None:
    result = chunked("a.md", f"{matter}\n## Sub\n{BODY}\n# Heading\n{BODY}")
    assert result.title == title


def test_front_matter_is_no_heading_and_joins_the_first_section(chunked: Chunker) -> None:
    result = chunked("a.md", f"---\nname: x\ndate: y\n---\n\n# Guide\n\n{BODY}")
    assert result.paths == [("Guide",)]
    assert result.contents[0].startswith("---\nname: x")


@pytest.mark.parametrize("text", ["---\n\nNot matter.\n\n---\n\nText", "---\nkey: value\n\nText"])
def test_a_thematic_break_is_no_front_matter(chunked: Chunker, text: str) -> None:
    assert chunked("a.md", f"{text}\n\n# Real title\n").title == "Real title"


def test_a_document_without_headings_has_no_title_and_path(chunked: Chunker) -> None:
    result = chunked("a.md", BODY)
    assert result.title == ""
    assert result.paths == [()]
