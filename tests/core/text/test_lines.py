from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.text import LineIndex, unify_newlines

texts = st.text(st.sampled_from("ab \n\r\u2028\u0085\f\v"), max_size=40)


def lines_by_definition(text: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z|(?<=[\r\n])\Z|\A\Z", text)


@given(texts)
def test_every_offset_is_in_the_line_that_holds_it(text: str) -> None:
    index = LineIndex(text)
    lines = lines_by_definition(text)
    assert index.count == len(lines)
    offset = 0
    for number, line in enumerate(lines, 1):
        assert index.start_of(number) == offset
        for _ in line:
            assert index.line_of(offset) == number
            offset += 1
    assert offset == len(text)


@given(texts.filter(bool), st.data())
def test_a_span_has_the_lines_of_its_first_and_last_character(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    index = LineIndex(text)
    assert index.lines_of(start, end) == (index.line_of(start), index.line_of(end - 1))


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 1), ("a", 1), ("a\n", 2), ("a\r\nb", 2), ("a\rb", 2), ("\n\r", 3), ("a\u2028b\fc", 1)],
)
def test_lines_are_counted_as_editors_do(text: str, count: int) -> None:
    assert LineIndex(text).count == count


def test_a_span_that_ends_with_its_newline_ends_on_that_line() -> None:
    assert LineIndex("one\r\ntwo\r\n").lines_of(0, 5) == (1, 1)


def test_the_end_of_the_text_is_in_the_last_line() -> None:
    assert LineIndex("a\nb").line_of(3) == 2


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_is_an_error(offset: int) -> None:
    with pytest.raises(ValueError, match="outside a text of 3"):
        LineIndex("a\nb").line_of(offset)


@pytest.mark.parametrize("line", [0, 3])
def test_a_line_that_is_not_there_is_an_error(line: int) -> None:
    with pytest.raises(ValueError, match="outside 1 to 2"):
        LineIndex("a\nb").start_of(line)


def test_an_empty_span_has_no_lines() -> None:
    with pytest.raises(ValueError, match="empty"):
        LineIndex("a\nb").lines_of(1, 1)


@given(texts)
def test_unified_newlines_move_no_offset(text: str) -> None:
    unified = unify_newlines(text)
    assert "\r" not in unified
    assert len(unified) == len(text)
    assert [m.start() for m in re.finditer(r"\S", unified)] == [
        m.start() for m in re.finditer(r"\S", text)
    ]
    assert LineIndex(unified).count == LineIndex(text).count
