"""Where spans of the text stand: pages, and the boxes of their lines."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import NamedTuple

from groundkit_core.structure import Box, Place, Where
from groundkit_index.loaders.pdf.model import Line

MAX_BOXES = 200

PartBox = Callable[[int, int, int, int, int, int], "Box | None"]
"""Finds the box of a part of a line, from its page, its first character and count in PDFium's
text, its length, and the part's start and end in the cleaned line."""


class Placed(NamedTuple):
    """A line in the text.

    Attributes:
        start: its first code point in the text.
        length: how many it has there.
        skipped: how many of the line's first code points are not in the text.
    """

    start: int
    length: int
    skipped: int
    line: Line


class LineMap:
    """Every line's place in the text, in its page and in PDFium's text of the page.

    Args:
        lines: in order.
    """

    def __init__(self, lines: Sequence[Placed]) -> None:
        self._starts = array("L", [placed.start for placed in lines])
        self._lengths = array("L", [placed.length for placed in lines])
        self._skipped = array("L", [placed.skipped for placed in lines])
        self._pages = array("L", [placed.line.page for placed in lines])
        self._firsts = array("L", [placed.line.first for placed in lines])
        self._counts = array("L", [placed.line.count for placed in lines])
        self._edges = tuple(
            array("f", map(attrgetter(f"line.{edge}"), lines))
            for edge in ("left", "top", "right", "bottom")
        )

    def page_starts(self) -> list[tuple[int, int]]:
        """Return where each page with text starts, and the page from 0."""
        found: list[tuple[int, int]] = []
        for start, page in zip(self._starts, self._pages, strict=True):
            if not found or page != found[-1][1]:
                found.append((start, page))
        return found

    def boxes(self, start: int, end: int, part_box: PartBox) -> tuple[Box, ...]:
        """Return the boxes of the lines of a span, at most `MAX_BOXES`."""
        found: list[Box] = []
        number = max(bisect_right(self._starts, start) - 1, 0)
        while number < len(self._starts) and len(found) < MAX_BOXES:
            first = self._starts[number]
            if first >= end:
                break
            box = self._box(number, start - first, end - first, part_box)
            if box is not None:
                found.append(box)
            number += 1
        return tuple(found)

    def _box(self, number: int, start: int, end: int, part_box: PartBox) -> Box | None:
        """Return the box of a part of a line; its ends are counted from the line's start."""
        length = self._lengths[number]
        if start >= length:
            return None
        skipped = self._skipped[number]
        page = self._pages[number]
        if start <= 0 and end >= length:
            return Box(page + 1, *(edge[number] for edge in self._edges))
        part = skipped + length, skipped + max(start, 0), skipped + min(end, length)
        return part_box(page, self._firsts[number], self._counts[number], *part)


class Whereabouts:
    """Finds the place of a span of the text."""

    def __init__(self, lines: LineMap, places: Sequence[Place], part_box: PartBox) -> None:
        self._lines = lines
        self._places = places
        self._part_box = part_box

    def __call__(self, start: int, end: int) -> Where:
        """Return the page where a span starts, and the boxes of all its lines."""
        number = max(bisect_right(self._places, start, key=lambda place: place.start) - 1, 0)
        if not self._places:
            return Where()
        place = self._places[number]
        boxes = self._lines.boxes(start, end, self._part_box)
        page = boxes[0].page if boxes else place.page
        if page != place.page:
            place = next((other for other in self._places if other.page == page), place)
        return Where(place.page, place.label, place.fragment, boxes)
