"""Tables of data, told from those that only lay out a page."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from groundkit_core.structure import TextBuilder

_MAX_SPAN = 100
_FLOWING = "table, h1, h2, h3, h4, h5, h6, pre, hr, main, article, form"
_MAX_CELL = 2_000
_MAX_CLIMB = 600


class Table:
    """Collects the cells of a table."""

    def __init__(self) -> None:
        self.caption = ""
        self._rows: list[list[str]] = []
        self._named = False

    def begin_row(self) -> None:
        """Begin the next row."""
        self._rows.append([])

    def cell(self, text: str, node: LexborNode) -> None:
        """Add a cell; those that it spans stay empty."""
        if not self._rows:
            self.begin_row()
        if len(self._rows) == 1 and node.tag == "th":
            self._named = True
        self._rows[-1].extend([text, *[""] * (_span(node) - 1)])

    def write(self, builder: TextBuilder) -> None:
        """Write the table; its first row is a header if it has a header cell."""
        builder.table(self._rows, header=self._named)


def _span(node: LexborNode) -> int:
    value = node.attributes.get("colspan") or ""
    return min(int(value), _MAX_SPAN) if value.isdecimal() and len(value) < 5 and int(value) else 1


def layout_tables(body: LexborNode) -> frozenset[int]:
    """Return the `mem_id` of tables whose cells are read as blocks, in order.

    They hold another table, a heading, code or the like, or are said to be for presentation, or
    have a long cell, or never two cells with text in a row.
    """
    holders = set()
    for node in body.css(_FLOWING):
        table = _enclosing(node)
        if table is not None:
            holders.add(table.mem_id)
    plain = (table for table in body.css("table") if table.mem_id not in holders)
    return frozenset(holders).union(table.mem_id for table in plain if not _is_data(table))


def _enclosing(node: LexborNode) -> LexborNode | None:
    parent = node.parent
    for _ in range(_MAX_CLIMB):
        if parent is None or parent.tag == "table":
            return parent
        parent = parent.parent
    return None


def _is_data(table: LexborNode) -> bool:
    if table.attributes.get("role") in {"presentation", "none"}:
        return False
    cells = table.css("td, th")
    if any(len(cell.text()) > _MAX_CELL for cell in cells):
        return False
    return any(_is_filled(cell) and _has_neighbour(cell) for cell in cells)


def _has_neighbour(cell: LexborNode) -> bool:
    """Whether a later cell of its row has text too."""
    following = cell.next
    while following is not None and not (following.tag in {"td", "th"} and _is_filled(following)):
        following = following.next
    return following is not None


def _is_filled(cell: LexborNode) -> bool:
    return bool(cell.text().strip())
