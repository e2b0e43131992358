"""Renders a result for the terminal."""

from __future__ import annotations

import sys
from typing import Literal, TextIO

from groundkit_eval.report.tables import Table, category_table, headline, setup_line, stage_table
from groundkit_eval.results import EvaluationResult

_PLAIN_WIDTH = 160
_WIDE = 130
_ROOMY = 100


def print_result(result: EvaluationResult, file: TextIO | None = None) -> None:
    """Print the tables, in colour and fitted to the window on a terminal, plain elsewhere."""
    from rich.console import Console

    stream = file or sys.stdout
    console = Console(
        file=stream, width=None if stream.isatty() else _PLAIN_WIDTH, highlight=False, markup=False
    )
    for line in filter(None, (headline(result), setup_line(result))):
        console.print(line)
    for table in (stage_table(result), category_table(result)):
        console.print()
        console.print(_rich(table, console.width))
    console.print()
    for stage in result.stages:
        console.print(f"{stage.name}: {stage.summary}")


def _rich(table: Table, width: int) -> object:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    gap = 1 if width >= _ROOMY else 0
    between = " " if width >= max(_WIDE, _needed(table, gap)) else "\n"
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, gap))
    for number, column in enumerate(table.columns):
        header = column.replace("@", " @").replace(" ", between)
        justify: Literal["left", "right"] = "left" if number == 0 else "right"
        shown.add_column(Text(header), justify=justify, overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(cell) for cell in row))
    return shown


def _needed(table: Table, gap: int) -> int:
    """Return how wide the table is when no cell is folded."""
    headers = (column.replace("@", " @") for column in table.columns)
    rows = ((header, *(row[i] for row in table.rows)) for i, header in enumerate(headers))
    return sum(max(map(len, cells)) + 2 * gap + 1 for cells in rows)
