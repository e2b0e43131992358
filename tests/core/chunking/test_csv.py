from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.chunking import chunk
from groundkit_core.chunking.csv import DELIMITERS
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings

from .conftest import Chunked

Chunker = Callable[..., Chunked]
CELLS = st.text(st.sampled_from('ab1 ,"\n'), max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=2, max_size=30)
)


def table(rows: list[list[str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def people(count: int) -> list[list[str]]:
    return [[f"Ann {n}", str(20 + n), "lives in\na house, with a garden"] for n in range(count)]


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_chunks_hold_whole_records_and_later_ones_the_header(
    chunked: Chunker, delimiter: str
) -> None:
    rows = [["name", "age", "where it is"], *people(20)]
    result = chunked("a.csv", table(rows, delimiter), target=150)
    assert result.paths == [(), *[("name | age | where it is",)] * (len(result.chunks) - 1)]
    read = [
        row
        for content in result.contents
        for row in csv.reader(io.StringIO(content), delimiter=delimiter)
    ]
    assert read == rows
    assert len(result.chunks) > 4


@pytest.mark.parametrize(
    "first",
    [["1", "2", "3"], ["Ann 3", "x", "y"], ["a", "a", "b"], ["", "", "c"], ["x" * 90, "b", "c"]],
)
def test_a_first_record_that_names_no_columns_is_no_header(
    chunked: Chunker, first: list[str]
) -> None:
    result = chunked("a.csv", table([first, *people(20)]), target=150)
    assert set(result.paths) == {()}


def test_what_stands_above_the_header_is_passed_over(chunked: Chunker) -> None:
    text = "Prices of the year\n\n" + table(
        [["item", "price"], *[[f"n{n}", "1.5"] for n in range(40)]]
    )
    result = chunked("a.csv", text, target=100)
    assert result.contents[0].startswith("Prices of the year\n\nitem,price\n")
    assert set(result.paths[1:]) == {("item | price",)}


def test_rows_may_have_a_name_of_their_own_and_may_be_short(chunked: Chunker) -> None:
    rows = [
        ["weight", "feed", "litter"],
        *[[f"r{n}", "1", "2", "3"] for n in range(40)],
        ["r", "1"],
    ]
    assert set(chunked("a.csv", table(rows), target=100).paths[1:]) == {("weight | feed | litter",)}


def test_a_quote_that_is_never_closed_is_text(chunked: Chunker) -> None:
    text = 'a,b\n1,"2\n' + "3,4\n" * 60
    assert len(chunked("a.csv", text, target=100).chunks) > 2


def test_one_column_has_no_header(chunked: Chunker) -> None:
    assert set(chunked("a.csv", "name\n" + "ann\n" * 90, target=100).paths) == {()}


@given(rows=TABLES)
@settings(deadline=None, max_examples=100)
def test_no_boundary_lies_inside_a_record(rows: list[list[str]]) -> None:
    text = table(rows)
    spans = chunk(text, Kind("csv"), ChunkSettings(40, 4000)).spans
    assert stripped("\n".join(text[span.start : span.end] for span in spans)) == stripped(text)
    for span in spans:
        before = stripped(text[: span.start]) + stripped(text[span.start :])
        assert before == stripped(text)


def stripped(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)) if row]
