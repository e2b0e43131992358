"""Reads the lines of a page with their boxes and fonts."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from groundkit_index.loaders.pdf import calls
from groundkit_index.loaders.pdf.calls import Edges
from groundkit_index.loaders.pdf.cleaning import HYPHEN, clean, decoded
from groundkit_index.loaders.pdf.fonts import style_of
from groundkit_index.loaders.pdf.geometry import Sheet, sheet_of, union
from groundkit_index.loaders.pdf.hiding import TINY, Visibility
from groundkit_index.loaders.pdf.model import Line, Page

_FLAT = 0.01
"""A loose box below this width or height, in points, is of turned text."""

_OFF = 2.0
"""How far text may reach out of the page, in points."""

_NARROW = 0.2
"""Characters that are narrower than this on average, in font sizes, hide smaller ones."""

_LOWEST, _HIGHEST = 0.65, 1.7
"""How high boxes of characters are, in font sizes that nothing scales."""

_SHORT = 12
_SAME_SIZE = 0.05
_RAISED = 0.8

_ACCENTS = frozenset("´`¨^~¯¸˛ˇ˘˙˚˝")
"""Marks that PDFium puts at the end of a line when they stand above a letter within it."""

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class _Look(NamedTuple):
    """How a text object looks."""

    seen: bool
    size: float
    bold: bool
    mono: bool
    edges: Edges


_Run = tuple[int, int, int]
"""The first character of a run, the one after its last, and their text object."""


def read_page(page: int, text: int, number: int) -> Page:
    """Return the lines of a page in PDFium's order.

    Args:
        page: the page's handle.
        text: the handle of its text.
        number: the page, from 0.
    """
    reader = _Reader(page, text, number)
    width, height = reader.sheet.size
    found = Page(number, width, height, reader.lines())
    found.hidden = reader.hidden
    found.images = not found.lines and not found.hidden and bool(reader.seeing.backdrop.images)
    return found


class _Reader:
    """Reads one page."""

    def __init__(self, page: int, text: int, number: int) -> None:
        self._text = text
        self._number = number
        self.sheet: Sheet = sheet_of(page)
        self.seeing = Visibility(page, self.sheet)
        self.hidden = 0
        self._looks: dict[int, _Look] = {}
        self._fonts: dict[int, tuple[bool, bool]] = {}
        self._chars = decoded(calls.text_of(text, 0, max(calls.count_chars(text), 0)))
        wide, high = self.sheet.size
        self._wide, self._high = wide + _OFF, high + _OFF
        self._turned = bool(self.sheet.turns) or (
            not self._chars.isascii() and bool(_RIGHT_TO_LEFT.search(self._chars))
        )
        self._doubtful = self._turned or self.seeing.is_doubtful()

    def lines(self) -> list[Line]:
        found: list[Line] = []
        at = 0
        for whole in self._chars.split("\r\n"):
            if HYPHEN in whole:
                self._hyphened(found, whole, at)
            else:
                self._line(found, whole, at)
            at += len(whole) + 2
        return found

    def _hyphened(self, found: list[Line], whole: str, at: int) -> None:
        """Add lines that PDFium has joined after a hyphen."""
        for part in re.split(f"(?<={HYPHEN})", whole):
            self._line(found, part, at)
            at += len(part)

    def _line(self, found: list[Line], whole: str, at: int) -> None:
        """Add a line, in parts where some of it cannot be seen."""
        text = whole.strip()
        if not text:
            return
        first = at if whole[0] == text[0] else at + len(whole) - len(whole.lstrip())
        line = None if self._doubtful else self._plain_line(text, first)
        if line is None:
            self._doubtful_line(found, text, first)
        elif line.text:
            found.append(line)

    def _plain_line(self, text: str, first: int) -> Line | None:
        """Return a line by its first and last character; None where that is not enough."""
        handle, count = self._text, len(text)
        last = first + count - 1
        left, top, right, bottom, x, y_top, x_end, y_end, base, size = calls.measure(
            handle, first, last
        )
        if not _LOWEST * size < top - bottom < _HIGHEST * size:
            size = self._size(first, top - bottom)
        wide = x_end - left
        if text[-1] in _ACCENTS or text[0] in _ACCENTS:
            return None
        if size < TINY or x < left or x_end - x < _FLAT or right - left < _FLAT:
            return None
        if count > _SHORT and wide < _NARROW * size * count:
            return None
        if abs(y_top - y_end - top + bottom) > _SAME_SIZE * size:
            size = self._middle_size(size, first, last)
        x_left, x_top, _, _ = self.sheet.box
        top = x_top - (top if top > y_top else y_top)
        bottom = x_top - (bottom if bottom < y_end else y_end)
        left -= x_left
        right = left + wide
        if left < -_OFF or top < -_OFF or right > self._wide or bottom > self._high:
            return None
        base = x_top - base
        bold, mono = self._font(calls.object_of(handle, first))
        if bold or mono:
            bold, mono = self._style(bold, mono, first, last)
        shown = clean(text, spaces=mono)
        return Line(
            self._number, shown, first, count, left, top, right, bottom, base, size, bold, mono
        )

    def _size(self, at: int, high: float) -> float:
        """Return the font size of a character, in points, that has a box so high."""
        size = float(calls.font_size(self._text, at))
        if _LOWEST * size < high < _HIGHEST * size:
            return size
        matrix = calls.matrix_of(self._text, at)
        return size * math.hypot(matrix[2], matrix[3])

    def _middle_size(self, size: float, first: int, last: int) -> float:
        """Return the font size of most of a line by three characters, the first one's known.

        What is smaller than its neighbours by a little is the body's size beside code, by much a
        raised number.
        """
        ends, middle = calls.loose_box(self._text, last), (first + last) // 2
        between = calls.loose_box(self._text, middle)
        sizes = (
            size,
            self._size(last, ends[1] - ends[3]),
            self._size(middle, between[1] - between[3]),
        )
        return min(size for size in sizes if size >= _RAISED * sorted(sizes)[1])

    def _style(self, bold: bool, mono: bool, first: int, last: int) -> tuple[bool, bool]:
        """Return whether a line is bold and of even width, by two more of its characters."""
        for at in ((first + last) // 2, last):
            item = calls.object_of(self._text, at)
            if item:
                others = self._font(item)
                bold, mono = bold and others[0], mono and others[1]
        return bold, mono

    def _font(self, item: int | None) -> tuple[bool, bool]:
        if not item:
            return False, False
        font = calls.font_of(item) or 0
        style = self._fonts.get(font)
        if style is None:
            style = self._fonts[font] = style_of(font)
        return style

    def _doubtful_line(self, found: list[Line], text: str, first: int) -> None:
        runs = self._runs(first, first + len(text) - 1)
        looks = [self._look(run) for run in runs]
        if all(look.seen for look in looks):
            line = self._made(text, first, runs, looks)
            if line is not None:
                if line.text:
                    found.append(line)
                return
        for run, look in zip(runs, looks, strict=True):
            part = self._chars[run[0] : run[1]]
            if not part.strip():
                continue
            line = self._run_line(run, look, part) if look.seen else None
            if line is None:
                self.hidden += len(part.strip())
            elif line.text:
                found.append(line)

    def _run_line(self, run: _Run, look: _Look, part: str) -> Line | None:
        text = part.strip()
        start = run[0] + len(part) - len(part.lstrip())
        return self._made(text, start, [(start, start + len(text), run[2])], [look])

    def _made(self, text: str, first: int, runs: list[_Run], looks: list[_Look]) -> Line | None:
        """Return a line; None when not all of it is on the page."""
        if len(runs) == 1:
            main = looks[0]
            bold, mono = main.bold, main.mono
        else:
            longest = max(range(len(runs)), key=lambda number: runs[number][1] - runs[number][0])
            main = looks[longest]
            bold = all(look.bold for look in looks)
            mono = all(look.mono for look in looks)
        left, top, right, bottom = self.sheet.shown(self._edges(text, first, looks))
        wide, high = self.sheet.size
        if left < -_OFF or top < -_OFF or right > self._wide or bottom > self._high:
            middle, level = (left + right) / 2, (top + bottom) / 2
            single = len(runs) == 1
            if not single or not (0 <= middle <= wide and 0 <= level <= high):
                return None
        origin = calls.origin_of(self._text, first)
        return Line(
            self._number,
            clean(text, spaces=mono),
            first,
            len(text),
            left,
            top,
            right,
            bottom,
            self.sheet.shown((*origin, *origin))[3],
            main.size,
            bold,
            mono,
        )

    def _edges(self, text: str, first: int, looks: list[_Look]) -> Edges:
        """Return the box of a line in PDFium's coordinates."""
        start = calls.loose_box(self._text, first)
        end = calls.loose_box(self._text, first + len(text) - 1)
        accent = text[-1] in _ACCENTS or text[0] in _ACCENTS
        turned = self._turned or _is_flat(start) or _is_flat(end) or start[0] > end[0]
        if accent or turned:
            return line_box(self._text, first, len(text))
        top, bottom = start[1], start[3]
        for box in (end, *(look.edges for look in looks)) if len(looks) > 1 else (end,):
            top = max(top, box[1])
            bottom = min(bottom, box[3])
        return start[0], top, end[2], bottom

    def _look(self, run: _Run) -> _Look:
        start, _, item = run
        found = self._looks.get(item)
        if found is None:
            edges = calls.loose_box(self._text, start)
            size = self._size(start, edges[1] - edges[3])
            seen = not item or self.seeing.is_seen(item, edges, size)
            found = self._looks[item] = _Look(seen, size, *self._font(item), edges)
        return found

    def _runs(self, first: int, last: int) -> list[_Run]:
        """Return the text objects of a line."""
        item = calls.object_of(self._text, first) or 0
        starts = [(first, item)]
        self._split(starts, first, last, item, calls.object_of(self._text, last) or item)
        stops = [start for start, _ in starts[1:]]
        stops.append(last + 1)
        return [(start, stop, item) for (start, item), stop in zip(starts, stops, strict=True)]

    def _split(
        self, starts: list[tuple[int, int]], low: int, high: int, item: int, other: int
    ) -> None:
        """Find by halving where text objects start between two characters of a line."""
        if item == other:
            return
        if high - low == 1:
            starts.append((high, other))
            return
        middle = (low + high) // 2
        between = calls.object_of(self._text, middle) or item
        self._split(starts, low, middle, item, between)
        self._split(starts, middle, high, between, other)


def _is_flat(edges: Edges) -> bool:
    return edges[2] - edges[0] < _FLAT or edges[1] - edges[3] < _FLAT


def line_box(text: int, first: int, count: int) -> Edges:
    """Return the box around characters of one line, in PDFium's coordinates.

    Each edge is that of the ink or of the advance, whichever is farther out.
    """
    boxes = calls.rects(text, first, count)
    for index in (first, first + count - 1):
        loose = calls.loose_box(text, index)
        if not _is_flat(loose):
            boxes.append(loose)
    return union(boxes) if boxes else (0.0, 0.0, 0.0, 0.0)
