"""Reads the cells of one sheet; only those that show something are kept."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xlsx.addresses import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    area_of,
    column_number,
)
from groundkit_index.loaders.xlsx.cells import Cell, CellReader, S
from groundkit_index.loaders.xmltree import Element, stream

_ROW, _COL, _C, _MERGE = f"{S}row", f"{S}col", f"{S}c", f"{S}mergeCell"
_TRUE = frozenset({"1", "true"})
_MOST_MERGED_ROWS = 500_000


@dataclass(slots=True)
class Grid:
    """The cells of a sheet.

    Attributes:
        rows: number from 1 and cells from the left, in order.
        size: code points of its cells.
        hidden: code points of hidden rows and columns.
        without_value: formulas whose result is not stored.
    """

    rows: list[tuple[int, list[Cell]]] = field(default_factory=list)
    size: int = 0
    hidden: int = 0
    without_value: int = 0


def read_grid(data: bytes, reader: CellReader, limits: Limits) -> Grid:
    """Return the cells of a sheet that can be seen.

    Raises:
        DocumentRefusedError: it is broken or has more text than the limits allow.
    """
    grid = Grid()
    hidden_columns: set[int] = set()
    merged: list[Area] = []
    number = 0
    for element in stream(data, _ROW, _COL, _MERGE):
        if element.tag == _ROW:
            number = _row_number(element, number + 1)
            _add_row(grid, number, element, reader, hidden_columns)
            if grid.size > limits.characters:
                limit = f"more than {limits.characters:,} characters in a sheet"
                raise DocumentRefusedError("over_limit", limit)
        elif element.tag == _MERGE:
            area = area_of(element.get("ref", ""))
            if area is not None:
                merged.append(area)
        else:
            hidden_columns.update(_hidden(element))
    _sort(grid)
    _clear_merged(grid, merged)
    return grid


def _add_row(
    grid: Grid, number: int, row: Element, reader: CellReader, hidden_columns: set[int]
) -> None:
    hides = row.get("hidden") in _TRUE
    cells: list[Cell] = []
    column = 0
    for element in row.iterchildren(_C):
        column = _column(element, column + 1)
        text, words = reader.read(element)
        if not text:
            grid.without_value += reader.lacks_value(element)
        elif hides or column in hidden_columns:
            grid.hidden += len(text)
        elif not text.isspace():
            cells.append(Cell(column, text, words))
            grid.size += len(text)
    if cells and number <= LAST_ROW:
        grid.rows.append((number, cells))


def _row_number(row: Element, expected: int) -> int:
    try:
        return max(int(row.get("r") or expected), 1)
    except ValueError:
        return expected


def _column(cell: Element, expected: int) -> int:
    return column_number((cell.get("r") or "").rstrip("0123456789")) or expected


def _hidden(column: Element) -> Iterable[int]:
    if column.get("hidden") not in _TRUE and column.get("width") != "0":
        return ()
    try:
        first, last = int(column.get("min", "1")), int(column.get("max", "0"))
    except ValueError:
        return ()
    return range(max(first, 1), min(last, LAST_COLUMN) + 1)


def _sort(grid: Grid) -> None:
    """Put rows and cells in order, the first of two with one name only."""
    numbers = [number for number, _ in grid.rows]
    if any(one >= other for one, other in pairwise(numbers)):
        rows: dict[int, list[Cell]] = {}
        for number, cells in grid.rows:
            rows.setdefault(number, []).extend(cells)
        grid.rows = sorted(rows.items())
    for _, cells in grid.rows:
        if any(one.column >= other.column for one, other in pairwise(cells)):
            first: dict[int, Cell] = {}
            for cell in cells:
                first.setdefault(cell.column, cell)
            cells[:] = [first[column] for column in sorted(first)]


def _clear_merged(grid: Grid, merged: list[Area]) -> None:
    """Leave out what lies under merged cells: only their first cell is shown."""
    numbers = [number for number, _ in grid.rows]
    left = _MOST_MERGED_ROWS
    for area in merged:
        place = bisect_left(numbers, area.top)
        while place < len(numbers) and numbers[place] <= area.bottom and left > 0:
            left -= 1
            cells = grid.rows[place][1]
            kept = [cell for cell in cells if not _covered(numbers[place], cell.column, area)]
            if len(kept) < len(cells):
                grid.hidden += _size(cells) - _size(kept)
                cells[:] = kept
            place += 1
    grid.rows = [row for row in grid.rows if row[1]]


def _size(cells: list[Cell]) -> int:
    return sum(len(cell.text) for cell in cells)


def _covered(row: int, column: int, area: Area) -> bool:
    return area.left <= column <= area.right and (row, column) != (area.top, area.left)
