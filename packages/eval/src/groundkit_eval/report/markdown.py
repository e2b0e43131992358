"""Renders a result as Markdown."""

from __future__ import annotations

import html

from groundkit_eval.report.tables import (
    TIMING_COLUMNS,
    Table,
    category_table,
    headline,
    setup_line,
    stage_table,
)
from groundkit_eval.results import EvaluationResult


def to_markdown(result: EvaluationResult) -> str:
    """Return headline, tables and a line on each stage, with a newline at the end."""
    stages = [f"- `{stage.name}`: {stage.summary}" for stage in result.stages]
    blocks = [
        " ".join(filter(None, (headline(result), setup_line(result)))),
        markdown_table(stage_table(result)),
        markdown_table(category_table(result)),
        "\n".join(stages),
    ]
    return "\n\n".join(blocks) + "\n"


def without_timings(markdown: str) -> str:
    """Return the text with the columns of latency left out of every table, for comparison."""
    lines, timed = [], frozenset[int]()
    for line in markdown.splitlines():
        cells = line.split("|") if line.startswith("|") else []
        if not cells:
            timed = frozenset()
        elif not timed:
            timed = frozenset(i for i, cell in enumerate(cells) if cell.strip() in TIMING_COLUMNS)
        kept = [cell for i, cell in enumerate(cells) if i not in timed]
        lines.append("|".join(kept) if cells else line)
    return "\n".join(lines)


def markdown_table(table: Table) -> str:
    """Return a table with everything escaped that Markdown or HTML would read."""
    rule = ("---" if table.is_left(number) else "---:" for number in range(len(table.columns)))
    return "\n".join(_row(cells) for cells in (table.columns, tuple(rule), *table.rows))


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_escape(cell) for cell in cells) + " |"


def _escape(cell: str) -> str:
    for char in "\\`*_[]":
        cell = cell.replace(char, f"\\{char}")
    return html.escape(cell, quote=False).replace("|", "&#124;")
