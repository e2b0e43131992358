"""A line-based scanner for the block structure of CommonMark with GFM tables.

It follows the algorithm of the CommonMark specification (appendix "A parsing
strategy"), but keeps only where blocks start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from groundkit_core.chunking.markdown import patterns
from groundkit_core.chunking.markdown.references import without_references
from groundkit_core.chunking.markdown.tables import is_table_start

BlockKind = Literal["paragraph", "heading", "fence", "code", "html", "table", "break", "marker"]

MAX_DEPTH = 32
"""How many lists and quotes may nest; a marker beyond is text."""

_QUOTE = 0
_NOWHERE = -2
_OPAQUE = frozenset({"fence", "html", "code"})
_FLUSH = frozenset("#`~|")
_BLOCKS = frozenset("#`~<|:=-*_")
_CONTAINERS = frozenset(">-+*0123456789")
_BLANKS = [" " * width for width in range(20)]
# Lines that start otherwise go on with a paragraph or table, or start a paragraph.
_SPECIAL = " \t#`~<=*+-_>|:0123456789"


Leaf = tuple[int, BlockKind, int]
"""Where a block starts: its first line from 0, what it is (a `marker` is a list or quote
marker without text), and how many lists and quotes hold the boundary before it."""


class Heading(NamedTuple):
    """A heading.

    Attributes:
        line: its first line, from 0.
        end: one past its last line.
        level: 1 to 6.
        text: its source, without markers.
        depth: how many lists and quotes hold it.
    """

    line: int
    end: int
    level: int
    text: str
    depth: int


class Outline(NamedTuple):
    """What a scan found, in order; fences are (first line, one past the last)."""

    leaves: list[Leaf]
    headings: list[Heading]
    fences: list[tuple[int, int]]


def scan(lines: Sequence[str], first: int = 0) -> Outline:
    r"""The blocks of a Markdown text.

    Args:
        lines: the text split at `\n`.
        first: the line to begin at, such as the one after front matter.
    """
    scanner = _Scanner(lines)
    scanner.run(first)
    return Outline(scanner.leaves, scanner.headings, scanner.fences)


class _Place(NamedTuple):
    """Where on a line a block may start.

    Attributes:
        start: column of its first character.
        stop: one past the line's last character that is not a blank.
        depth: how many open containers the line goes on.
        keep: how many containers stay open when a block starts here.
        inside: whether the line stands in the open paragraph's own containers.
    """

    number: int
    line: str
    start: int
    stop: int
    depth: int
    keep: int
    inside: bool


class _Scanner:
    """The state after some lines.

    `stack` holds the open containers, outermost first: `_QUOTE`, or the width that
    the lines of a list item are indented by. `leaf` is the open block or None.
    """

    __slots__ = (
        "close_html",
        "fence",
        "fence_line",
        "fences",
        "headings",
        "hollow",
        "leaf",
        "leaves",
        "lines",
        "paragraph",
        "previous",
        "stack",
    )

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.leaves: list[Leaf] = []
        self.headings: list[Heading] = []
        self.fences: list[tuple[int, int]] = []
        self.stack: list[int] = []
        self.leaf: BlockKind | None = None
        self.fence = ""
        self.fence_line = 0
        self.close_html = patterns.BLANK_LINE
        self.hollow = _NOWHERE  # the line of an item that has no content yet
        self.paragraph = (0, 0)  # line and column where the open paragraph starts
        self.previous = (_NOWHERE, 0)  # the last paragraph line that is not plain, and its column

    def run(self, first: int) -> None:
        """Scans to the end."""
        stack = self.stack
        for number, line in enumerate(self.lines[first:], first):
            if not stack:
                leaf = self.leaf
                if leaf == "fence":
                    if self.fence[0] in line[:4]:
                        self._continues(number, line, 0, len(line.rstrip(" \t")))
                    continue
                if leaf != "html":
                    head = line[:1]
                    if head not in _SPECIAL:
                        if leaf is None or leaf == "code":
                            self._start_paragraph(number, 0, 0)
                        continue
                    if not head:
                        self.leaf = leaf if leaf == "code" else None
                        continue
                    if head in _FLUSH and self._flush(number, line, head):
                        continue
            elif not line and self.leaf == "paragraph" and _QUOTE not in stack:
                self.leaf = None
                continue
            self._line(number, line)
        self._close(0, len(self.lines))

    def _flush(self, number: int, line: str, head: str) -> bool:
        """The short way for lines of common kinds outside any container."""
        if head == "#":
            return self._atx(number, line, 0, 0, 0)
        if head == "|":
            return self.leaf == "table"
        if self._fence(number, line, 0, 0, 0):
            return True
        if self.leaf is None or self.leaf == "code":
            self._start_paragraph(number, 0, 0)
        return True

    def _line(self, number: int, line: str) -> None:
        if "\t" in line:
            line = line.expandtabs(4)
        stop = len(line.rstrip(" "))
        at, matched = self._match(line, stop)
        if matched < len(self.stack):
            self.hollow = _NOWHERE
            if self.leaf != "paragraph":
                self._close(matched, number)
        if self.leaf in _OPAQUE and self._continues(number, line, at, stop):
            return
        if at >= stop:
            self._blank(number, matched)
        else:
            self._open(number, line, at, stop, matched)

    def _match(self, line: str, stop: int) -> tuple[int, int]:
        """The column behind the open containers that the line goes on, and their count."""
        at = 0
        for depth, width in enumerate(self.stack):
            if width == _QUOTE:
                start = _indent_end(line, at)
                if start - at > 3 or not line.startswith(">", start):
                    return at, depth
                at = start + (2 if line.startswith(" ", start + 1) else 1)
            elif line.startswith(_BLANKS[width], at):
                at += width
            elif at < stop:
                return at, depth
        return at, len(self.stack)

    def _close(self, keep: int, number: int) -> None:
        """Closes the open block, and the containers from `keep` on, before line `number`."""
        if self.leaf == "fence":
            self.fences.append((self.fence_line, number))
        del self.stack[keep:]
        self.leaf = None

    def _continues(self, number: int, line: str, at: int, stop: int) -> bool:
        """Whether the open fence, HTML block or indented code takes the line."""
        if self.leaf == "fence":
            if self._closes_fence(line, at, stop):
                self._close(len(self.stack), number + 1)
            return True
        if self.leaf == "html":
            blank = at >= stop and self.close_html is patterns.BLANK_LINE
            if blank or self.close_html.search(line, at):
                self.leaf = None
            return True
        if at >= stop or line.startswith("    ", at):
            return True
        self.leaf = None
        return False

    def _closes_fence(self, line: str, at: int, stop: int) -> bool:
        start = _indent_end(line, at)
        return (
            start - at <= 3
            and line.startswith(self.fence, start)
            and not line[start:stop].strip(self.fence[0])
        )

    def _blank(self, number: int, matched: int) -> None:
        if matched < len(self.stack):
            self._close(matched, number)
        elif self.hollow == number - 1:
            self.stack.pop()
        self.leaf = None

    def _open(self, number: int, line: str, at: int, stop: int, matched: int) -> None:
        """Opens the containers and the block that start on a line."""
        inside = self.leaf == "paragraph" and matched == len(self.stack)
        keep = matched
        while True:
            start = _indent_end(line, at)
            if start >= stop:
                self._add(number, "marker", matched, None)
                self.hollow = number if self.stack[-1] != _QUOTE else _NOWHERE
                return
            found = self._container(line, at, start, stop, inside=inside)
            if found is None:
                break
            self._close(keep, number)
            width, at = found
            self.stack.append(width)
            keep, inside = len(self.stack), False
        if start - at > 3:
            if self.leaf != "paragraph":
                self._close(keep, number)
                self._add(number, "code", matched, "code")
            else:
                self.previous = (number, -1)
            return
        if line[start] not in _BLOCKS or not self._block(
            _Place(number, line, start, stop, matched, keep, inside)
        ):
            self._text(number, start, matched, keep, inside=inside)

    def _container(
        self, line: str, at: int, start: int, stop: int, *, inside: bool
    ) -> tuple[int, int] | None:
        """The container that opens at `start`, and the column of what it holds."""
        head = line[start]
        if head not in _CONTAINERS or start - at > 3 or len(self.stack) >= MAX_DEPTH:
            return None
        if head == ">":
            return _QUOTE, start + (2 if line.startswith(" ", start + 1) else 1)
        item = patterns.ITEM.match(line, start)
        if item is None or _is_rule(line, start, stop, inside=inside):
            return None
        end = item.end()
        content = _indent_end(line, end)
        if content >= stop:
            return None if inside else (end - at + 1, stop)
        if inside and head.isdigit() and int(line[start : end - 1]) != 1:
            return None
        if content - end > 4:
            content = end + 1
        return content - at, content

    def _block(self, place: _Place) -> bool:
        """Opens the block other than a paragraph that starts at a place, if any."""
        head = place.line[place.start]
        if head == "#":
            return self._atx(place.number, place.line, place.start, place.depth, place.keep)
        if head in "`~":
            return self._fence(place.number, place.line, place.start, place.depth, place.keep)
        if head == "<":
            return self._html(place)
        if place.inside and head in "|:-" and self._table(place):
            return True
        if place.inside and head in "=-" and self._setext(place):
            return True
        if head in "-*_" and _is_break(place.line, place.start, place.stop):
            self._close(place.keep, place.number)
            self._add(place.number, "break", place.depth, None)
            return True
        return False

    def _atx(self, number: int, line: str, start: int, depth: int, keep: int) -> bool:
        mark = patterns.ATX.match(line, start)
        if mark is None:
            return False
        if self.leaf is not None or self.stack:
            self._close(keep, number)
        self.leaves.append((number, "heading", depth))
        text = line[mark.end() :].strip(" \t")
        if text.endswith("#"):
            text = _without_closing(text)
        level = mark.end(1) - start
        self.headings.append(Heading(number, number + 1, level, text, len(self.stack)))
        return True

    def _fence(self, number: int, line: str, start: int, depth: int, keep: int) -> bool:
        mark = patterns.FENCE.match(line, start)
        if mark is None:
            return False
        if self.leaf is not None or self.stack:
            self._close(keep, number)
        self._add(number, "fence", depth, "fence")
        self.fence, self.fence_line = mark.group(), number
        return True

    def _html(self, place: _Place) -> bool:
        closing = _html_closing(place.line, place.start, alone=self.leaf is None)
        if closing is None:
            return False
        self._close(place.keep, place.number)
        ends = closing.search(place.line, place.start)
        self._add(place.number, "html", place.depth, None if ends else "html")
        self.close_html = closing
        return True

    def _table(self, place: _Place) -> bool:
        """Makes the paragraph's last line a table header, if this is its delimiter row."""
        above, column = self.previous
        if above != place.number - 1:
            above, column = place.number - 1, 0
        header = self.lines[above].expandtabs(4)[column:]
        if column < 0 or not is_table_start(header, place.line[place.start : place.stop]):
            return False
        if self.paragraph[0] == above:
            self._rename("table")
            self.leaf = "table"
        else:
            self._add(above, "table", place.depth, "table")
        return True

    def _setext(self, place: _Place) -> bool:
        """Makes the open paragraph a heading, if this is its underline."""
        line, start, number = place.line, place.start, place.number
        if not patterns.SETEXT.match(line, start):
            return False
        text = "\n".join(self._paragraph_lines(number))
        body = without_references(text)
        if not body.strip():
            if line[start] == "-":
                return False
            self._start_paragraph(number, place.depth, start)
            return True
        first = number - body.count("\n") - 1
        if first == self.paragraph[0]:
            self._rename("heading")
        else:
            self._add(first, "heading", place.depth, None)
        level = 1 if line[start] == "=" else 2
        self.headings.append(Heading(first, number + 1, level, body.strip(), len(self.stack)))
        self.leaf = None
        return True

    def _paragraph_lines(self, number: int) -> Iterator[str]:
        first, column = self.paragraph
        yield self.lines[first].expandtabs(4)[column:]
        for line in self.lines[first + 1 : number]:
            expanded = line.expandtabs(4)
            at = self._match(expanded, len(expanded.rstrip(" ")))[0] if self.stack else 0
            yield expanded[at:]

    def _text(self, number: int, start: int, depth: int, keep: int, *, inside: bool) -> None:
        """Goes on with the open paragraph or table, or starts a paragraph."""
        if inside or keep < len(self.stack):
            self.previous = (number, start if inside else -1)
        elif self.leaf != "table":
            self._start_paragraph(number, depth, start)

    def _start_paragraph(self, number: int, depth: int, column: int) -> None:
        self.leaves.append((number, "paragraph", depth))
        self.leaf = "paragraph"
        self.paragraph = self.previous = (number, column)

    def _rename(self, kind: BlockKind) -> None:
        line, _, depth = self.leaves[-1]
        self.leaves[-1] = (line, kind, depth)

    def _add(self, line: int, kind: BlockKind, depth: int, leaf: BlockKind | None) -> None:
        self.leaves.append((line, kind, depth))
        self.leaf = leaf


def _indent_end(line: str, at: int) -> int:
    found = patterns.SPACES.match(line, at)
    return found.end() if found else at


def _html_closing(line: str, start: int, *, alone: bool) -> re.Pattern[str] | None:
    """What closes the HTML block that opens at `start`; None when none does.

    Any single tag opens one on a line that goes on with nothing.
    """
    for opening, closing in patterns.HTML_OPENINGS:
        if opening.match(line, start):
            return closing
    return patterns.BLANK_LINE if alone and patterns.HTML_TAG_LINE.match(line, start) else None


def _is_rule(line: str, start: int, stop: int, *, inside: bool) -> bool:
    """Whether what looks like a list marker is an underline or a thematic break."""
    if inside and line[start] == "-" and patterns.SETEXT.match(line, start):
        return True
    return line[start] in "*-" and _is_break(line, start, stop)


def _is_break(line: str, start: int, stop: int) -> bool:
    head = line[start]
    return (
        line[stop - 1] == head
        and len(line.rstrip(f"{head} ")) <= start
        and line.count(head, start, stop) >= 3
    )


def _without_closing(text: str) -> str:
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text
