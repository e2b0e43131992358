"""Writes a table whose first rows may be its title."""

from __future__ import annotations

from collections.abc import Sequence

from groundkit_core.structure import TextBuilder


def captions(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows at the top have one cell only where a later one has more."""
    for number, row in enumerate(rows):
        if sum(1 for cell in row if cell.strip()) > 1:
            return number
    return 0


def write_table(builder: TextBuilder, rows: Sequence[Sequence[str]], *, header: bool) -> None:
    """Write a table; a title in its first rows becomes a paragraph that leads to it.

    Args:
        builder: takes the table.
        rows: cells as text.
        header: whether the first row below the title names the columns.
    """
    above = captions(rows)
    for row in rows[:above]:
        builder.paragraph(" ".join(" ".join(row).split()), leads=True)
    builder.table(rows[above:], header=header)
