from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.text_fragments import text_fragment

SENTENCE = "The pump must be primed before the first start of the season."
OTHER = "Never run it dry, because the seal burns within a few minutes."


def named(content: str) -> str:
    """The directive in readable form."""
    found = text_fragment(content)
    assert found is not None
    head, _, words = found.partition(":~:text=")
    assert head == ""
    return unquote(words)


def test_a_short_passage_is_named_as_a_whole() -> None:
    assert named("Close the valve first.") == "Close the valve first."


def test_a_longer_one_by_its_first_and_last_words() -> None:
    assert named(f"{SENTENCE}\n\n{OTHER}") == (
        "The pump must be primed before,seal burns within a few minutes."
    )
    assert named(SENTENCE * 3).startswith("The pump must be primed before,")


@pytest.mark.parametrize("mark", ["# ", "###### ", "- ", "12. ", "    - "])
def test_marks_are_not_named(mark: str) -> None:
    assert named(f"{mark}Close the valve first.") == "Close the valve first."


def test_a_heading_is_passed_over_where_text_follows() -> None:
    assert named(f"## Starting the pump in spring\n\n{SENTENCE}").startswith("The pump")
    assert named("## Starting the pump") == "Starting the pump"


def test_a_short_line_is_passed_over_where_a_longer_one_follows() -> None:
    assert named(f"Note\n\n{SENTENCE}\n\n{OTHER}").startswith("The pump must")


def test_the_ends_stand_within_one_cell_each() -> None:
    table = "| Part | What it is for |\n| --- | --- |\n| Seal | keeps a\\|b apart for good |"
    assert named(table) == "What it is for,keeps a|b apart for good"


def test_the_ends_stand_within_one_line_of_code_each() -> None:
    code = "```c\nint main(int argc, char **argv) {\n  return    run(1, 2, 3, 4);\n}\n```"
    assert named(code) == "int main(int argc, char **argv) {,run(1, 2, 3, 4);"


def test_text_without_blanks_is_cut_at_its_marks() -> None:
    long = "最初の起動の前にポンプに水を入れてください、" * 8
    start, _, end = named(f"{long}。").partition(",")
    assert start == "、".join(["最初の起動の前にポンプに水を入れてください"] * 2)
    assert end.startswith("最初の起動の前に")
    assert len(end) <= 60


def test_what_the_page_may_write_otherwise_is_not_named() -> None:
    assert named("in English | German | many other languages") == "many other languages"
    assert named("as shown[1] by the first of all pumps in use^2") == (
        "by the first of all pumps in"
    )


def test_signs_with_a_meaning_in_the_directive_are_encoded() -> None:
    assert text_fragment("a-b, c & d=e #1") == ":~:text=a%2Db%2C%20c%20%26%20d%3De%20%231"
    assert text_fragment("Größe") == ":~:text=Gr%C3%B6%C3%9Fe"


@pytest.mark.parametrize("content", ["", "\n", "---", "```\n```", "| --- | --- |", "*"])
def test_without_words_there_is_none(content: str) -> None:
    assert text_fragment(content) is None


@given(st.text(alphabet=st.sampled_from("ab c.-|#`\n1[^、水"), max_size=80))
def test_every_named_end_stands_in_the_content(content: str) -> None:
    found = text_fragment(content)
    if found is None:
        return
    ends = [unquote(part) for part in found.removeprefix(":~:text=").split(",")]
    assert 1 <= len(ends) <= 2
    for end in ends:
        assert end
        assert end in " ".join(content.replace("\\|", "|").split())
