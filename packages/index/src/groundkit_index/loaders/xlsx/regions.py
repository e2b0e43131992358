"""Finds the tables on a sheet: cells that stand together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundkit_index.loaders.xlsx.cells import Cell

Rows = list[tuple[int, list[Cell]]]

_SPARSE = 4
"""A region with this many times more places than cells is written without empty cells."""
_SMALL = 10_000


@dataclass(frozen=True, slots=True)
class Region:
    """Cells that stand together.

    Attributes:
        rows: number and cells, in order.
        columns: those that hold a cell, in order.
        captions: how many rows at the top are its title.
        header: whether the row below names the columns.
        dense: whether empty cells keep the columns apart.
    """

    rows: Rows
    columns: list[int]
    captions: int
    header: bool
    dense: bool

    def texts(self, cells: list[Cell]) -> list[str]:
        """Return a row as the texts of its cells, with empty ones where columns are kept apart."""
        if not self.dense:
            return [cell.text for cell in cells]
        by_column = {cell.column: cell.text for cell in cells}
        return [by_column.get(column, "") for column in self.columns]


def regions(rows: Rows) -> Iterator[Region]:
    """Yield the regions of a sheet from the top, those side by side from the left."""
    block: Rows = []
    for row in rows:
        if block and row[0] > block[-1][0] + 1:
            yield from _side_by_side(block)
            block = []
        block.append(row)
    if block:
        yield from _side_by_side(block)


def _side_by_side(block: Rows) -> Iterator[Region]:
    columns = sorted({cell.column for _, cells in block for cell in cells})
    groups = [[columns[0]]]
    for column in columns[1:]:
        if column > groups[-1][-1] + 1:
            groups.append([])
        groups[-1].append(column)
    # A single column is rather a label for what is beside it than a table of its own.
    if len(block) < 2 or any(len(group) < 2 for group in groups):
        yield _region(block, columns)
        return
    for group in groups:
        first, last = group[0], group[-1]
        cut = [
            (number, [cell for cell in cells if first <= cell.column <= last])
            for number, cells in block
        ]
        yield _region([row for row in cut if row[1]], group)


def _region(rows: Rows, columns: list[int]) -> Region:
    captions = 0
    for number, (_, cells) in enumerate(rows):
        if len(cells) > 1:
            captions = number
            break
    filled = sum(len(cells) for _, cells in rows)
    dense = len(rows) * len(columns) <= _SMALL + _SPARSE * filled
    header = dense and _has_header(rows[captions:], columns)
    return Region(rows, columns, captions, header, dense)


def _has_header(rows: Rows, columns: list[int]) -> bool:
    if len(rows) < 2:
        return False
    first = rows[0][1]
    named = len(first) > 1 and 2 * len(first) >= len(columns)
    return named and all(cell.words for cell in first)
