"""Renders a result for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TextIO

from groundkit_eval.comparison.results import Comparison, QueryChange
from groundkit_eval.gates import GateResult
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.report.changes import change_table, gate_table, method_lines
from groundkit_eval.report.tables import Table, category_table, headline, setup_line, stage_table
from groundkit_eval.results import EvaluationResult

if TYPE_CHECKING:
    from rich.console import Console

_PLAIN_WIDTH = 160
_PASSAGE = 140
_WIDE = 130
_ROOMY = 100


def print_result(result: EvaluationResult, file: TextIO | None = None) -> None:
    """Print the tables, in colour and fitted to the window on a terminal, plain elsewhere."""
    console = _console(file)
    for line in filter(None, (headline(result), setup_line(result))):
        console.print(line)
    for table in (stage_table(result), category_table(result)):
        console.print()
        console.print(_rich(table, console.width))
    console.print()
    for stage in result.stages:
        console.print(f"{stage.name}: {stage.summary}")


def print_comparison(
    comparison: Comparison,
    gates: Sequence[GateResult] = (),
    *,
    shown: int = 10,
    file: TextIO | None = None,
) -> None:
    """Print the differences, the gates, and the largest losses and gains of each stage."""
    console = _console(file)
    for line in method_lines(comparison):
        console.print(line)
    for table in (change_table(comparison), *([gate_table(gates)] if gates else [])):
        console.print()
        console.print(_rich(table, console.width))
    for stage in comparison.stages:
        for title, changes in (("losses", stage.losses), ("gains", stage.gains)):
            for line in _changes(
                f"{stage.stage}: largest {title} in {comparison.by}", changes[:shown]
            ):
                console.print(line)


def _changes(title: str, changes: Sequence[QueryChange]) -> Iterator[str]:
    if changes:
        yield ""
        yield title
    for change in changes:
        yield f"  {change.before:.3f} to {change.after:.3f}  {change.id}: {one_line(change.query)}"
        for gold in change.gold[:1]:
            yield f"    expected  {_shown(gold.source, gold.excerpt)}"
        for word, passages in (
            ("baseline", change.passages_before),
            ("now", change.passages_after),
        ):
            for passage in passages:
                mark = "*" if passage.relevant else " "
                yield f"    {word:<8}{mark} {_shown(passage.source, passage.excerpt)}"


def _shown(source: str, excerpt: str) -> str:
    return one_line(f"{source}  {excerpt}"[:_PASSAGE].rstrip())


def _console(file: TextIO | None) -> Console:
    from rich.console import Console

    stream = file or sys.stdout
    width = None if stream.isatty() else _PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False)


def _rich(table: Table, width: int) -> object:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    gap = 1 if width >= _ROOMY else 0
    between = " " if width >= max(_WIDE, _needed(table, gap)) else "\n"
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, gap))
    for number, column in enumerate(table.columns):
        header = column.replace("@", " @").replace(" ", between)
        justify: Literal["left", "right"] = "left" if table.is_left(number) else "right"
        shown.add_column(Text(header), justify=justify, overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(cell) for cell in row))
    return shown


def _needed(table: Table, gap: int) -> int:
    """Return how wide the table is when no cell is folded."""
    headers = (column.replace("@", " @") for column in table.columns)
    rows = ((header, *(row[i] for row in table.rows)) for i, header in enumerate(headers))
    return sum(max(map(len, cells)) + 2 * gap + 1 for cells in rows)
