"""Which lines are headings: by the outline, by their size, and by a number in bold."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from groundkit_index.loaders.pdf.model import Line, Page
from groundkit_index.loaders.pdf.outline import Bookmark
from groundkit_index.loaders.pdf.style import Style

_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3})*)\.?\s+[^\W\d]")
_LEAD = re.compile(
    r"^(?:(?:chapter|section|part|appendix|kapitel)\s+)?(?:[\divxlc]+|[a-z])(?:\.\d+)*[.:]?\s+"
)
_LETTERS = re.compile(r"[\W_]+")
_BULLETS = "•●○◦▪■‣⁃·*–—-"
_LONGEST = 200
_SHORT = 60
_LONGEST_BOLD = 100
_MOST_LINES = 4
_DEEPEST = 6


class Headings:
    """Tells the level of lines, 0 for what is no heading.

    Args:
        pages: without headers and footers.
        style: what is usual in the document.
        outline: its bookmarks.
    """

    def __init__(self, pages: Sequence[Page], style: Style, outline: Sequence[Bookmark]) -> None:
        self._style = style
        self._levels: dict[int, int] = {}
        self._by_look: dict[tuple[float, bool], int] = {}
        if outline:
            self._match(pages, outline)
        self.outlined = bool(self._levels)

    def level(self, line: Line) -> int:
        """Return the level of the heading that a line is part of; 0 for none."""
        found = self._levels.get(id(line))
        if found is not None:
            return found
        style = self._style
        if line.size >= style.body * 1.12:
            return self._by_size(line)
        if line.bold and line.count <= _LONGEST_BOLD and not self.outlined:
            number = _NUMBERED.match(line.text)
            if number and line.size > style.body * 0.95:
                return min(number[1].count(".") + 1 + bool(style.sizes), _DEEPEST)
        return 0

    def _by_size(self, line: Line) -> int:
        if line.count > _LONGEST or not any(map(str.isalpha, line.text)):
            return 0
        if not self.outlined:
            return self._style.level(line.size)
        known = self._by_look.get((round(line.size), line.bold))
        if known is not None:
            return known
        above = [level for (size, _), level in self._by_look.items() if size > line.size]
        return min(max(above, default=0) + 1, _DEEPEST)

    def _stands_out(self, line: Line) -> bool:
        short = line.count < _SHORT or line.bold or line.size > self._style.body * 1.05
        return short and line.text[0] not in _BULLETS

    def _match(self, pages: Sequence[Page], outline: Sequence[Bookmark]) -> None:
        """Find the lines of each bookmark on its page."""
        wanted: dict[int, list[Bookmark]] = defaultdict(list)
        for mark in outline:
            wanted[mark.page].append(mark)
        looks: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
        for page in pages:
            if page.number not in wanted:
                continue
            lines = [line for line in page.lines if self._stands_out(line)]
            keys = _Keys(lines)
            for mark in wanted[page.number]:
                spans = keys.spans(mark.title)
                if not spans:
                    continue
                span = max(spans, key=lambda found: lines[found[0]].size)
                level = min(mark.level, _DEEPEST)
                for line in lines[span[0] : span[1]]:
                    self._levels[id(line)] = level
                first = lines[span[0]]
                looks[round(first.size), first.bold][level] += 1
        self._by_look = {look: counts.most_common(1)[0][0] for look, counts in looks.items()}


class _Keys:
    """Lines by their letters and digits, with and without the number before them."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._forms = [_forms(line.text) for line in lines]
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for number, forms in enumerate(self._forms):
            for form in forms:
                self._numbers[form].append(number)

    def spans(self, title: str) -> list[tuple[int, int]]:
        """Return where the lines are a title, as first line and the one after the last."""
        titles = _forms(title)
        found = {(at, at + 1) for wanted in titles for at in self._numbers.get(wanted, ())}
        if not found:
            starts = range(len(self._forms))
            spans = (self._span(wanted, at) for wanted in titles for at in starts)
            found = {span for span in spans if span is not None}
        return sorted(found)

    def _span(self, title: str, start: int) -> tuple[int, int] | None:
        for joined in self._forms[start]:
            if not title.startswith(joined):
                continue
            for stop in range(start + 1, min(start + _MOST_LINES, len(self._forms))):
                joined += next(iter(self._forms[stop]), "")
                if joined == title:
                    return start, stop + 1
        return None


def _forms(text: str) -> dict[str, None]:
    """Return a line's letters and digits as they are, and without the number before them."""
    text = text.lower()
    return dict.fromkeys(form for form in (_key(text), _key(_LEAD.sub("", text))) if form)


def _key(text: str) -> str:
    return _LETTERS.sub("", text)
