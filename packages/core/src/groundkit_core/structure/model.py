"""An extracted text and where its parts stand in the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Piece(NamedTuple):
    """A stretch of extracted text that is better not split; it ends where the next one starts.

    Attributes:
        start: its first code point.
        level: 1 to 6 for a heading, else 0.
        name: the heading's text without marks.
        depth: how many lists or quotes hold it.
        lines: whether it splits between lines, as code and tables do, not between sentences.
        leads: whether it belongs with the piece after it.
        header: for a table, its header, which every part of it is read under.
        breaks: whether no chunk may reach across its start, as at a slide or a sheet.
        closes: whether no heading before it is above it, as at a slide without a title.
    """

    start: int
    level: int = 0
    name: str = ""
    depth: int = 0
    lines: bool = False
    leads: bool = False
    header: str = ""
    breaks: bool = False
    closes: bool = False


class Box(NamedTuple):
    """A rectangle on a page, in points (1/72 inch) from the top left corner of the page.

    Attributes:
        page: from 1.
    """

    page: int
    left: float
    top: float
    right: float
    bottom: float


class Place(NamedTuple):
    """From where on in the text a page, slide, sheet row, cell or time begins.

    Attributes:
        start: first code point.
        page: page from 1; None where the format has none.
        label: for people, such as `slide 3`, `Prices!A2:D2`, `cell 4`, `00:01:02`; may be empty.
        fragment: what follows `#` in a link to it, such as `page=3`; may be empty.
    """

    start: int
    page: int | None = None
    label: str = ""
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Where:
    """Where a span of the text stands in the document.

    Attributes:
        boxes: the rectangles of its lines, where the format has a layout.
    """

    page: int | None = None
    label: str = ""
    fragment: str = ""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    r"""What was taken out of one document.

    Attributes:
        text: the extracted text, lines ended by `\n`.
        pieces: in order, without gaps, the first at 0; empty for an empty text.
        title: the document's own title; may be empty.
        places: in order.
        where: finds the place of a span; None looks up where it starts in `places`.
        hidden: code points that were left out because a reader would not see them.
        notes: one line each on what was left out, for the report.
    """

    text: str
    pieces: Sequence[Piece]
    title: str = ""
    places: Sequence[Place] = ()
    where: Callable[[int, int], Where] | None = None
    hidden: int = 0
    notes: tuple[str, ...] = ()

    def place_of(self, start: int, end: int) -> Where:
        """Return where a span stands in the document."""
        if self.where is not None:
            return self.where(start, end)
        number = bisect_right(self.places, start, key=lambda place: place.start)
        if not number:
            return Where()
        found = self.places[number - 1]
        return Where(found.page, found.label, found.fragment)
