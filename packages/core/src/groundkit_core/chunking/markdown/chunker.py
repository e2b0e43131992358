"""Markdown to chunks along its headings and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.markdown.front_matter import FrontMatter, front_matter
from groundkit_core.chunking.markdown.inline import plain_text
from groundkit_core.chunking.markdown.scanner import Heading, Leaf, scan
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

_LINE_WISE = frozenset({"fence", "code", "table", "html"})
_COLONS = frozenset(":：")
_LEADING = frozenset({"heading", "marker"})


def chunk_markdown(text: str, limits: Limits) -> ChunkedText:
    """Chunks a Markdown document.

    Front matter and headings without text belong to the section that follows; no
    chunk holds the text of two headings.

    Args:
        text: with unified newlines.
        limits: sizes in code points.
    """
    lines = text.split("\n")
    matter = front_matter(lines)
    first = matter.end if matter else 0
    leaves, headings, _ = scan(lines, first)
    widths = [0, *accumulate(map(len, lines))]
    sections = _Reader(text, widths, leaves, limits).sections(headings, matter)
    return ChunkedText(_title(matter, headings), gather(text, sections, limits))


def _title(matter: FrontMatter | None, headings: Sequence[Heading]) -> str:
    if matter and matter.title:
        return matter.title
    names = (plain_text(heading.text) for heading in headings if _is_top(heading))
    return next(filter(None, names), "")


def _is_top(heading: Heading) -> bool:
    return heading.level == 1 and not heading.depth


class _Reader:
    """Turns leaves and headings, which count lines, into sections, which count code points.

    `widths[n]` is the length of the first n lines without their line ends.
    """

    def __init__(
        self, text: str, widths: Sequence[int], leaves: Sequence[Leaf], limits: Limits
    ) -> None:
        self._text = text
        self._widths = widths
        self._leaves = leaves
        self._target = limits.target

    def sections(
        self, headings: Iterable[Heading], matter: FrontMatter | None
    ) -> Iterator[Section]:
        """The sections in order; together they cover the text."""
        begin = 0
        if matter:
            begin = min(self._start(matter.end), len(self._text))
            yield Section((), [Block(0, lines=True)], begin, bare=True)
        levels: list[int] = []
        path: list[str] = []
        first = 0
        for heading in headings:
            if heading.depth:
                continue
            last = self._leaf_at(heading.line, first)
            end = self._start(heading.line)
            if end > begin:
                yield self._section(tuple(filter(None, path)), first, last, begin, end)
            while levels and levels[-1] >= heading.level:
                levels.pop()
                path.pop()
            levels.append(heading.level)
            path.append(plain_text(heading.text))
            first, begin = last, end
        if begin < len(self._text):
            names = tuple(filter(None, path))
            yield self._section(names, first, len(self._leaves), begin, len(self._text))

    def _start(self, line: int) -> int:
        return self._widths[line] + line

    def _leaf_at(self, line: int, first: int) -> int:
        leaves = self._leaves
        while leaves[first][0] != line:
            first += 1
        return first

    def _section(
        self, path: tuple[str, ...], first: int, last: int, begin: int, end: int
    ) -> Section:
        kind = self._leaves[first][1] if first < last else None
        if end - begin <= self._target or last - first < 2:
            bare = kind == "heading" and last - first == 1
            return Section(path, [Block(begin, 0, kind in _LINE_WISE)], end, bare)
        return Section(path, self._blocks(first, last, begin, end), end)

    def _blocks(self, first: int, last: int, begin: int, end: int) -> list[Block]:
        text, widths = self._text, self._widths
        blocks: list[Block] = []
        leaves = self._leaves[first:last]
        stops = [widths[line] + line for line, _, _ in leaves[1:]]
        stops.append(end)
        start = begin
        for (_, kind, depth), stop in zip(leaves, stops, strict=True):
            if kind == "paragraph":
                # What a colon announces belongs to it.
                leads = text[stop - 4 : stop].rstrip()[-1:] in _COLONS
            else:
                leads = kind in _LEADING
            blocks.append(Block(start, depth, kind in _LINE_WISE, leads))
            start = stop
        return blocks
