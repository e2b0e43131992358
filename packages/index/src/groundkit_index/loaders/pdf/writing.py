"""Writes blocks into the text and keeps where each line went."""

from __future__ import annotations

from collections.abc import Sequence

from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.pdf.blocks import BULLET, NUMBER
from groundkit_index.loaders.pdf.hyphens import Joiner, whole
from groundkit_index.loaders.pdf.model import Block, Line
from groundkit_index.loaders.pdf.places import Placed

_BLANK_LINE = 1.6
_DEEPEST = 6


class Writer:
    """Writes one document.

    Attributes:
        builder: takes the text.
        lines: where each line is in it.
    """

    def __init__(self, joiner: Joiner) -> None:
        self.builder = TextBuilder()
        self.lines: list[Placed] = []
        self._joiner = joiner
        self._indents: list[float] = []

    def write(self, block: Block) -> None:
        """Add a block."""
        if block.kind == "item":
            self._item(block)
            return
        self._indents = []
        if block.kind == "code":
            self._code(block.lines)
        elif block.kind == "lines":
            self._rows(block.lines)
        elif block.kind == "heading":
            text, ends = self._joined(block.lines)
            self._keep(block.lines, self.builder.heading(text, block.level), ends)
        else:
            text, ends = self._joined(block.lines)
            self._keep(block.lines, self.builder.paragraph(text, leads=block.leads), ends)

    def _item(self, block: Block) -> None:
        first = block.lines[0]
        mark = BULLET.match(first.text) or NUMBER.match(first.text)
        skipped = mark.end() if mark else 0
        text, ends = self._joined(block.lines, skipped)
        shown = mark[0].strip() if mark and mark[0][0] in "(0123456789" else "-"
        at = self.builder.item(text, depth=self._depth(first.left), mark=shown)
        self._keep(block.lines, at, ends, skipped)

    def _depth(self, left: float) -> int:
        while self._indents and self._indents[-1] > left + 2:
            self._indents.pop()
        if not self._indents or self._indents[-1] < left - 4:
            self._indents.append(left)
        return min(len(self._indents), _DEEPEST)

    def _joined(self, lines: Sequence[Line], skipped: int = 0) -> tuple[str, list[tuple[int, int]]]:
        """Return lines as running text, and where each stands in it."""
        parts: list[str] = []
        ends: list[tuple[int, int]] = []
        at, last = 0, len(lines) - 1
        for number, line in enumerate(lines):
            text = line.text[skipped:] if not number else line.text
            between = ""
            if number < last:
                text, between = self._joiner.join(text, lines[number + 1].text)
            else:
                text = whole(text)
            if line.mono:
                text = " ".join(text.split())
            if not text:
                between = ""
            ends.append((at, len(text)))
            parts += text, between
            at += len(text) + len(between)
        return "".join(parts), ends

    def _code(self, lines: Sequence[Line]) -> None:
        left = min(line.left for line in lines)
        parts: list[str] = []
        ends: list[tuple[int, int]] = []
        at = 0
        before: Line | None = None
        for line in lines:
            if before is not None:
                joint = self._code_joint(before, line)
                parts.append(joint)
                at += len(joint)
            if before is None or parts[-1] != " ":
                indent = " " * _indent(line, left)
                parts.append(indent)
                at += len(indent)
            text = whole(line.text)
            ends.append((at, len(text)))
            parts.append(text)
            at += len(text)
            before = line
        self._keep(lines, self.builder.code("".join(parts)), ends)

    def _code_joint(self, before: Line, line: Line) -> str:
        if line.page != before.page:
            return "\n"
        step = line.base - before.base
        if abs(step) < 0.6 * line.size:
            return " "
        return "\n\n" if step > _BLANK_LINE * line.size else "\n"

    def _rows(self, lines: Sequence[Line]) -> None:
        texts = [whole(line.text) for line in lines]
        ends: list[tuple[int, int]] = []
        at = 0
        for text in texts:
            ends.append((at, len(text)))
            at += len(text) + 1
        self._keep(lines, self.builder.lines("\n".join(texts)), ends)

    def _keep(
        self, lines: Sequence[Line], at: int, ends: Sequence[tuple[int, int]], skipped: int = 0
    ) -> None:
        if at < 0:
            return
        for line, (start, length) in zip(lines, ends, strict=True):
            if length:
                self.lines.append(Placed(at + start, length, skipped, line))
            skipped = 0


def _indent(line: Line, left: float) -> int:
    wide = (line.right - line.left) / max(len(line.text), 1)
    return min(round((line.left - left) / wide), 80) if wide > 0 else 0
