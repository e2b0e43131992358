"""Tables of the page; a short script makes those that are meant to be sorted sortable."""

from __future__ import annotations

import html
from collections.abc import Sequence

from groundkit_eval.report.html.svg import tag
from groundkit_eval.report.tables import Table

_MARKED = {"significant loss": "bad", "significant gain": "good", "FAILED": "bad", "kept": "good"}


def html_table(table: Table, caption: str, *, sortable: bool = False, wraps: bool = False) -> str:
    """Return a table that scrolls by itself where it is wider than the window.

    Args:
        table: what it shows.
        caption: what it is about.
        sortable: whether a script may sort it by its columns.
        wraps: whether the first column holds long texts.
    """
    head = "".join(
        tag("th", html.escape(column) or "-", scope="col", class_=_side(table, number))
        for number, column in enumerate(table.columns)
    )
    body = "".join(_row(table, cells) for cells in table.rows)
    inner = (
        f"<caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    )
    names = " ".join(filter(None, ("sortable" if sortable else "", "wraps" if wraps else "")))
    shown = tag("table", inner, class_=names or None)
    # Focusable, so that a keyboard can scroll it.
    return tag("div", shown, class_="scroll", tabindex=0, role="group", aria_label=caption)


def _row(table: Table, cells: Sequence[str]) -> str:
    first, *rest = (html.escape(cell) for cell in cells)
    found = "".join(
        f'<td class="{name}">{cell}</td>'
        if (name := _class(table, number, cell))
        else f"<td>{cell}</td>"
        for number, cell in enumerate(rest, start=1)
    )
    return f'<tr><th scope="row">{first}</th>{found}</tr>'


def _class(table: Table, number: int, cell: str) -> str:
    return f"{_side(table, number) or ''} {_MARKED.get(cell, '')}".strip()


def _side(table: Table, number: int) -> str | None:
    return "l" if table.is_left(number) else None
