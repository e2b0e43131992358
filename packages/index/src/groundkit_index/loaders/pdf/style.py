"""What is usual in a document: its body's font size and line distance, and its headings' sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from groundkit_index.loaders.pdf.model import Line, Page

_LARGER = 1.12
_DEEPEST = 6
_LONGEST_HEADING = 200
_MONO_SHARE = 0.6
_SAME = 0.3
_LONG = 10
_FIRST_PAGES = 2
_NORMAL_LEADING = 1.2


@dataclass(frozen=True, slots=True)
class Style:
    """See above.

    Attributes:
        body: font size of the running text, in points.
        leading: distance of its lines, in points.
        code: whether lines in a font of even width are code.
        sizes: sizes of headings, the largest first.
    """

    body: float
    leading: float
    code: bool
    sizes: tuple[float, ...]

    def level(self, size: float) -> int:
        """Return the level of a heading in a font size; 0 for none."""
        if size < self.body * _LARGER:
            return 0
        for number, other in enumerate(self.sizes, 1):
            if abs(other - size) <= _SAME:
                return min(number, _DEEPEST)
        return 0


def body_size(pages: Sequence[Page]) -> float:
    """Return the font size of most characters, in points."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[round(line.size, 1)] += line.count
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0


def style_of(pages: Sequence[Page], body: float) -> Style:
    """Return what is usual on pages without headers and footers."""
    lines = [line for page in pages for line in page.lines]
    total = sum(line.count for line in lines) or 1
    mono = sum(line.count for line in lines if line.mono)
    return Style(
        body,
        _leading(pages, body),
        mono < _MONO_SHARE * total,
        _sizes(lines, body, len(pages) >= _LONG),
    )


def _leading(pages: Sequence[Page], body: float) -> float:
    found: Counter[float] = Counter()
    for page in pages:
        before: Line | None = None
        for line in page.lines:
            if before is not None and abs(line.size - body) < _SAME:
                step = line.base - before.base
                if 0.9 * body < step < 3 * body:
                    found[round(step, 0)] += 1
            before = line
    if not found:
        return body * _NORMAL_LEADING
    return max(found, key=lambda step: (found[step], -step))


def _sizes(lines: Sequence[Line], body: float, long: bool) -> tuple[float, ...]:
    """Return sizes of headings; in a long document one that is used once is a label's."""
    pages: dict[float, set[int]] = defaultdict(set)
    for line in lines:
        if line.size >= body * _LARGER and line.count <= _LONGEST_HEADING and _has_letters(line):
            pages[round(line.size, 1)].add(line.page)
    kept: list[float] = []
    for size in sorted(pages, reverse=True):
        usual = not long or len(pages[size]) > 1 or min(pages[size]) < _FIRST_PAGES
        if usual and (not kept or kept[-1] - size > _SAME):
            kept.append(size)
    return tuple(kept)


def _has_letters(line: Line) -> bool:
    return any(map(str.isalpha, line.text))
