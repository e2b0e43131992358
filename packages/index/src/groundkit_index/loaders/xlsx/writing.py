"""Writes sheets, and remembers where their rows stand in the text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import TextBuilder, Where
from groundkit_core.structure.builder import visible
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xlsx.addresses import Area, fragment, label
from groundkit_index.loaders.xlsx.regions import Region, Rows, regions
from groundkit_index.loaders.xlsx.workbook import Sheet

_LONGEST_LINE = 200


class _Row(NamedTuple):
    sheet: int
    number: int
    left: int
    right: int


class Places:
    """Finds the cells that a span of the text was taken from."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._starts: list[int] = []
        self._rows: list[_Row] = []
        self._sheet_starts: list[int] = []

    def sheet(self, start: int, name: str) -> None:
        """Let a sheet begin."""
        self._sheet_starts.append(start)
        self._names.append(name)

    def row(self, start: int, number: int, left: int, right: int) -> None:
        """Let a row of the current sheet begin; -1 for one without text."""
        if start >= 0:
            self._starts.append(start)
            self._rows.append(_Row(len(self._names) - 1, number, left, right))

    def elsewhere(self, start: int) -> None:
        """Let text begin that is in no cell."""
        self.row(start, 0, 0, 0)

    def where(self, start: int, end: int) -> Where:
        """Return the range of the rows that a span touches, on the sheet where it starts."""
        sheet = bisect_right(self._sheet_starts, start) - 1
        if sheet < 0:
            return Where()
        first = max(bisect_right(self._starts, start) - 1, 0)
        found = self._rows[first : bisect_left(self._starts, end, lo=first)]
        found = [row for row in found if row.sheet == sheet and row.number]
        called = label(self._names[sheet], _around(found))
        return Where(None, called, fragment(called))


class Writer:
    """Writes one sheet after the other.

    Attributes:
        places: where the rows stand.
    """

    def __init__(self, limits: Limits) -> None:
        self.builder = TextBuilder()
        self.places = Places()
        self._limits = limits

    def write(self, sheet: Sheet) -> None:
        """Write a sheet.

        Raises:
            DocumentRefusedError: the text is beyond the limits.
        """
        called = label(sheet.name)
        self.builder.place(label=called, fragment=fragment(called), closes=True)
        at = self.builder.heading(sheet.name, 1)
        self.places.sheet(at - len("# "), sheet.name)
        for region in regions(sheet.grid.rows):
            self._write_region(region)
            if self.builder.length > self._limits.characters:
                limit = f"more than {self._limits.characters:,} characters"
                raise DocumentRefusedError("over_limit", limit)
        for text in sheet.boxes:
            self.places.elsewhere(self.builder.paragraph(text))

    def _write_region(self, region: Region) -> None:
        for number, cells in region.rows[: region.captions]:
            at = self.builder.paragraph(cells[0].text, leads=True)
            self.places.row(at, number, cells[0].column, cells[0].column)
        body = region.rows[region.captions :]
        if len(region.columns) == 1:
            self._write_column(body)
        else:
            self._write_table(region, body)

    def _write_column(self, body: Rows) -> None:
        """Write a single column as lines, or as paragraphs where its texts are long."""
        column = body[0][1][0].column
        texts = [(number, _on_one_line(cells[0].text)) for number, cells in body]
        texts = [(number, text) for number, text in texts if text]
        if any(len(text) > _LONGEST_LINE for _, text in texts):
            for number, cells in body:
                self.places.row(self.builder.paragraph(cells[0].text), number, column, column)
            return
        at = self.builder.lines("\n".join(text for _, text in texts))
        for number, text in texts:
            self.places.row(at, number, column, column)
            at += len(text) + 1

    def _write_table(self, region: Region, body: Rows) -> None:
        left, right = region.columns[0], region.columns[-1]

        def on_row(place: int, start: int) -> None:
            self.places.row(start, body[place][0], left, right)

        texts = (region.texts(cells) for _, cells in body)
        self.builder.table(texts, header=region.header, on_row=on_row)


def _on_one_line(text: str) -> str:
    return " ".join(visible(text).split())


def _around(rows: list[_Row]) -> Area | None:
    if not rows:
        return None
    return Area(
        min(row.number for row in rows),
        min(row.left for row in rows),
        max(row.number for row in rows),
        max(row.right for row in rows),
    )
