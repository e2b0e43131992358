"""Lines to headings, paragraphs, items and code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from groundkit_index.loaders.pdf.cleaning import HYPHEN
from groundkit_index.loaders.pdf.headings import Headings
from groundkit_index.loaders.pdf.model import Block, BlockKind, Line, Page
from groundkit_index.loaders.pdf.style import Style

BULLET = re.compile(r"[•●○◦▪■□►▶‣⁃∙·*–—\-\uf0b7\uf0a7](?:\s+|$)")
NUMBER = re.compile(r"(?:\(?(?:\d{1,2}|[a-z])\)|\d{1,2}\.)\s+(?=\S)")

_LEADERS = re.compile(r"(?:\.\.\.|\. \.)\s*(?:\d{1,5}|[ivxlc]{1,8})$")
_SENTENCE_END = re.compile(r"""[.!?…:;。！？]["'”’)\]]*$""")
_MOST_HEADING_LINES = 4
_CODE_GAP = 2.6
_SAME_EDGE = 3.0


def blocks_of(pages: Sequence[Page], style: Style, headings: Headings) -> Iterator[Block]:
    """Yield the blocks of a document in reading order; they may reach over pages.

    Args:
        pages: without headers and footers.
        style: what is usual in the document.
        headings: which lines are headings.
    """
    joining = _Joining(style)
    block: Block | None = None
    before: Line | None = None
    for page in pages:
        _set_margins(page.lines)
        for line in page.lines:
            level = headings.level(line)
            kind = _kind(line, level, style)
            if (
                block is not None
                and before is not None
                and joining.goes_on(block, before, line, kind, level)
            ):
                block.lines.append(line)
            else:
                if block is not None:
                    yield _settled(block, line, kind)
                block = Block(kind, [line], level)
            before = line
    if block is not None:
        yield block


def _settled(block: Block, following: Line, kind: BlockKind) -> Block:
    """Return a block as what it turns out to be: a lone line of code may be a term."""
    line = block.lines[-1]
    lone = block.kind == "code" and len(block.lines) == 1 and kind in {"paragraph", "item"}
    below = line.page == following.page and 0 < following.base - line.base < 1.7 * following.size
    if lone and below and line.left + line.size < following.left:
        return Block("paragraph", block.lines, leads=True)
    return block


def _kind(line: Line, level: int, style: Style) -> BlockKind:
    text = line.text
    if text[-1].isalnum() and (". ." in text or "..." in text) and _LEADERS.search(text):
        return "lines"
    if level:
        return "heading"
    if line.mono and style.code:
        return "code"
    if not text[0].isalpha() and (BULLET.match(text) or NUMBER.match(text)):
        return "item"
    return "paragraph"


def _set_margins(lines: Sequence[Line]) -> None:
    """Set the right edge of the column that each line stands in."""
    column: list[Line] = []
    for line in lines:
        if column and line.bottom < column[-1].top:
            _set_margin(column)
            column = []
        column.append(line)
    _set_margin(column)


def _set_margin(column: Sequence[Line]) -> None:
    edges = Counter(round(line.right / _SAME_EDGE) for line in column)
    common = [edge for edge, count in edges.items() if count > 1]
    margin = max(common or edges, default=0) * _SAME_EDGE
    for line in column:
        line.margin = margin


class _Joining:
    """Tells whether a line belongs to the block before it."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def goes_on(self, block: Block, before: Line, line: Line, kind: BlockKind, level: int) -> bool:
        apart = line.base - before.base
        size = line.size
        near = line.page == before.page
        if near and -0.6 * size < apart < 0.6 * size and line.left >= before.right - size:
            return kind != "heading" or block.kind == "heading"
        below = near and apart > 0
        if block.kind == "heading":
            return below and kind == "heading" and self._same_heading(block, before, line, level)
        if kind == "heading":
            return False
        if block.kind == "code":
            return kind == "code" and (not near or 0 < apart < _CODE_GAP * size)
        if kind == "code" or kind == "item":
            return False
        if block.kind == "lines" or kind == "lines":
            return block.kind == kind
        if abs(size - before.size) > 0.1 * size + 0.3:
            return False
        if not below:
            return self._over_the_edge(block, before, line)
        return apart <= self._step(size) and self._same_paragraph(block, before, line)

    def _step(self, size: float) -> float:
        """Return the largest distance of two lines of one paragraph."""
        style = self._style
        if abs(size - style.body) < 0.1 * style.body:
            return max(style.leading * 1.25, size * 1.3)
        return size * max(1.55, 1.25 * style.leading / style.body)

    def _same_heading(self, block: Block, before: Line, line: Line, level: int) -> bool:
        return (
            level == block.level
            and len(block.lines) < _MOST_HEADING_LINES
            and abs(line.size - before.size) < 0.5
            and line.base - before.base < 1.7 * line.size
            and not (line.text[0].isdigit() and before.text[0].isdigit())
        )

    def _same_paragraph(self, block: Block, before: Line, line: Line) -> bool:
        """Decide by indentation and by whether the line before ends early."""
        if line.bold != before.bold and (_is_short(before, line) or line.bold):
            return False
        shift = line.left - before.left
        half = 0.5 * line.size
        only = len(block.lines) == 1
        if block.kind == "item":
            if line.left < block.lines[0].left + half:
                return not _is_short(before, line) and not _ends(before) and abs(shift) < half
            return not (_is_short(before, line) and _ends(before) and not only) or shift == 0
        if shift > half:
            return only and not _is_short(before, line)
        if shift < -half:
            return only and not _is_short(before, line)
        return not _is_short(before, line)

    def _over_the_edge(self, block: Block, before: Line, line: Line) -> bool:
        """Decide for the first line of a page or column."""
        if before.text.endswith(HYPHEN):
            return line.text[:1].isalpha()
        if _ends(before):
            return line.text[:1].islower()
        if block.kind == "item" and line.page != before.page:
            return line.text[:1].islower()
        return not _is_short(before, line)


def _ends(line: Line) -> bool:
    return bool(_SENTENCE_END.search(line.text))


def _is_short(line: Line, following: Line) -> bool:
    """Whether the first word of the next line would have had room in a line."""
    word = following.text.split(" ", 1)[0]
    wide = (following.right - following.left) * len(word) / max(len(following.text), 1)
    return line.right + wide + 0.4 * line.size < line.margin
