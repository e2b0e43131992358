"""AsciiDoc to chunks along its section titles and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

MAX_TITLE_CHARS = 200
MAX_ATTRIBUTES = 1_000
"""Document attributes beyond are not put into titles."""

MAX_HEADER_CHARS = 300
"""A document header up to this length belongs with the text below it."""

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}$")
_DELIMITER = re.compile(r"([-.=*_+/])\1{3,}$|--$|`{3,}[\w+-]*$|[|,:!]={3,}$")
_ABOVE = re.compile(r"\[.*\]$|\.[^\s.].*$|//(?:[^/].*)?$")
"""What stands above a block and belongs to it: attributes, anchors, titles and comments."""

_ATTRIBUTE = re.compile(r":!?(\w[\w-]*)!?:(?:[ \t]+(.*))?$")
_ITEM = re.compile(
    r"[ \t]*(?:([*.]{1,6}|-|\d{1,5}\.|<(?:\d{1,5}|\.)>)[ \t]+\S|\S.*?(:{2,4}|;;)(?:[ \t]|$))"
)
_REFERENCE = re.compile(r"\{(\w[\w-]*)\}")
_ANCHOR = re.compile(r"\[\[[^\[\]]*\]\]|\[#[^\[\]]*\]")
_CROSS = re.compile(r"<<[^<>,]*,?([^<>]*)>>")
_MACRO = re.compile(r"(?:\w+:{1,2}|https?://)[^\s\[\]]*\[([^\[\]]*)\]")
_MARKED = re.compile(r"(\*{1,2}|_{1,2}|`{1,2}|\+{1,2}|#{1,2})(?=\S)(.+?)(?<=\S)\1")


class _Leaf(NamedTuple):
    """A block: its first line, from 0; a title has a level.

    Attributes:
        entry: whether it is an attribute entry of the header.
    """

    line: int
    depth: int = 0
    lines: bool = False
    leads: bool = False
    level: int = 0
    name: str = ""
    entry: bool = False


def chunk_asciidoc(text: str, limits: Limits) -> ChunkedText:
    """Chunks an AsciiDoc document; delimited blocks and tables are kept whole.

    Attributes, anchors and titles of a block belong to it. Includes are not followed.

    Args:
        text: with unified newlines.
        limits: sizes in code points.
    """
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    leaves = list(_Scanner(lines).leaves()) or [_Leaf(0)]
    leaves[0] = leaves[0]._replace(line=0)
    title = next((leaf.name for leaf in leaves if leaf.level == 1), "")
    return ChunkedText(title, gather(text, _sections(leaves, starts, len(text)), limits))


def _sections(leaves: Sequence[_Leaf], starts: Sequence[int], end: int) -> Iterator[Section]:
    path: list[tuple[int, str]] = []
    group: list[_Leaf] = []
    for leaf in leaves:
        if leaf.level:
            if group:
                yield _section(path, group, starts, starts[leaf.line])
            while path and path[-1][0] >= leaf.level:
                path.pop()
            path.append((leaf.level, leaf.name))
            group = []
        group.append(leaf)
    if group:
        yield _section(path, group, starts, end)


def _section(
    path: Sequence[tuple[int, str]], group: Sequence[_Leaf], starts: Sequence[int], end: int
) -> Section:
    blocks = [Block(starts[leaf.line], leaf.depth, leaf.lines, leaf.leads) for leaf in group]
    header = all(leaf.level or leaf.entry for leaf in group)
    bare = header and (len(group) == 1 or end - blocks[0].start <= MAX_HEADER_CHARS)
    return Section(tuple(name for _, name in path if name), blocks, end, bare=bare)


class _Scanner:
    """Reads lines from the top; `above` is the first line that belongs to the next block."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [line.rstrip() for line in lines]
        self._closings = _places_of_delimiters(self._lines)
        self._values: dict[str, str] = {}
        self._above: int | None = None
        self._depth = 0  # of the list that goes on
        self._joined = False  # whether a `+` ties the next block to an item
        self._inside = False  # whether the line before is text
        self._header = False  # whether the lines since the document's title are its header

    def leaves(self) -> Iterator[_Leaf]:
        number = 0
        while number < len(self._lines):
            line = self._lines[number]
            after = number + 1
            if not line:
                self._inside = self._header = False
            elif line == "+":
                self._joined, self._inside = True, False
            elif found := self._title(number):
                after = number + found[2]
                yield self._leaf(number, leads=True, level=found[0], name=found[1])
            elif closing := self._closing(number):
                after = closing + 1
                yield self._leaf(number, self._depth_of_block(), lines=True)
            elif _ABOVE.match(line):
                self._note(number)
            else:
                yield from self._text(number, line)
            number = after
        if self._above is not None:
            yield _Leaf(self._above, lines=True)

    def _note(self, number: int) -> None:
        self._above = number if self._above is None else self._above
        self._inside = False

    def _leaf(
        self,
        number: int,
        depth: int = 0,
        *,
        lines: bool = False,
        leads: bool = False,
        level: int = 0,
        name: str = "",
        entry: bool = False,
    ) -> _Leaf:
        first = number if self._above is None else self._above
        self._above, self._joined, self._inside = None, False, False
        if level:
            self._depth, self._header = 0, level == 1
        return _Leaf(first, depth, lines, leads, level, name, entry)

    def _depth_of_block(self) -> int:
        if not self._joined:
            self._depth = 0
        return max(self._depth, 1) if self._joined else 0

    def _text(self, number: int, line: str) -> Iterator[_Leaf]:
        attribute = _ATTRIBUTE.match(line)
        item = None if attribute else _ITEM.match(line)
        if attribute:
            if len(self._values) < MAX_ATTRIBUTES:
                self._values[attribute.group(1)] = (attribute.group(2) or "")[:MAX_TITLE_CHARS]
            if not self._inside:
                yield self._leaf(number, lines=True, entry=True)
        elif item:
            self._depth = _depth_of_item(item)
            yield self._leaf(number, self._depth - 1)
        elif not self._inside:
            depth = self._depth_of_block()
            indented = line[0] in " \t"
            leads, entry = self._announces(number), self._header
            yield self._leaf(number, depth, lines=indented, leads=leads, entry=entry)
        self._inside = True

    def _announces(self, number: int) -> bool:
        """Whether the paragraph that starts on a line ends with a colon."""
        end = number + 1
        limit = min(len(self._lines), number + 20)
        while end < limit and self._lines[end]:
            end += 1
        return self._lines[end - 1].endswith((":", "："))

    def _title(self, number: int) -> tuple[int, str, int] | None:
        """Level, name and lines of the title that starts on a line."""
        line = self._lines[number]
        found = _TITLE.match(line)
        if found and (line[0] == "=" or not self._inside):
            marks, name = found.groups()
            return len(marks), self._plain(name.removesuffix(f" {marks}")), 1
        if self._inside or number + 1 == len(self._lines):
            return None
        below = self._lines[number + 1]
        if not _UNDERLINE.match(below) or abs(len(line) - len(below)) > 2 or _ITEM.match(line):
            return None
        if line[0] in " \t[.:/|" or line[-1] in ":." or not any(map(str.isalnum, line)):
            return None
        return "=-~^+".index(below[0]) + 1, self._plain(line), 2

    def _closing(self, number: int) -> int | None:
        """The line that closes the block which opens on a line."""
        line = self._lines[number]
        places = self._closings.get("```" if line.startswith("```") else line)
        if places is None or _DELIMITER.match(line) is None:
            return None
        while places and places[-1] <= number:
            places.pop()
        return places[-1] if places else None

    def _plain(self, source: str) -> str:
        """A title without anchors, references, macros and marks."""
        text = _REFERENCE.sub(self._value, source[:MAX_TITLE_CHARS])[:MAX_TITLE_CHARS]
        text = _CROSS.sub(r"\1", _ANCHOR.sub("", text))
        text = _MARKED.sub(r"\2", _MACRO.sub(r"\1", text))
        return " ".join(text.split())

    def _value(self, found: re.Match[str]) -> str:
        return self._values.get(found.group(1), found.group())


def _places_of_delimiters(lines: Sequence[str]) -> dict[str, list[int]]:
    """Where each delimiter stands, the last one first."""
    places: dict[str, list[int]] = {}
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line and line[0] in "-.=*_+/`|,:!" and _DELIMITER.match(line):
            places.setdefault("```" if line.startswith("```") else line, []).append(number)
    return places


def _depth_of_item(item: re.Match[str]) -> int:
    mark = item.group(1) or item.group(2)
    return len(mark) if mark[0] in "*." else len(mark) - 1 if mark[0] in ":;" else 1
