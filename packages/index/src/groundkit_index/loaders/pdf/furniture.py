"""Page headers, page footers and page numbers: lines that are repeated in the same place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from groundkit_index.loaders.pdf.model import Line, Page

_BAND = 0.14
"""How much of a page's height, at its top and at its bottom, may hold them."""

_DEEPEST = 4
_MOST = 3
"""Pages on which a line must be repeated."""

_ROW_SHARE = 0.7
_EMPTIED_SHARE = 0.2
"""Where more pages than this have nothing but repeated lines, those are the text."""

_LARGE = 1.25
"""Lines in a font this much larger than the body's are headings."""

_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")

_Key = tuple[bool, int, str]


def without_furniture(pages: Sequence[Page], body: float) -> int:
    """Take repeated lines out of pages, from the edges inwards; return how many.

    Args:
        pages: changed in place.
        body: font size of the running text.
    """
    edges = [list(_edge_lines(page, body)) for page in pages]
    seen = Counter(key for keys in edges for key in {key for key, _ in keys})
    repeated = {key for key, count in seen.items() if count >= _MOST}
    rows = _rows(edges, repeated)
    gone = [_gone(found, repeated, rows) for found in edges]
    emptied = [
        bool(ids) and len(ids) == len(page.lines) for page, ids in zip(pages, gone, strict=True)
    ]
    keep_emptied = sum(emptied) > len(pages) * _EMPTIED_SHARE
    dropped = 0
    for page, ids, empty in zip(pages, gone, emptied, strict=True):
        if ids and not (empty and keep_emptied):
            page.lines = [line for line in page.lines if id(line) not in ids]
            dropped += len(ids)
    return dropped


def _edge_lines(page: Page, body: float) -> Iterator[tuple[_Key, Line]]:
    """Yield lines at the top from above, then those at the bottom from below."""
    high = page.height * _BAND
    low = page.height - high
    tops = sorted((line for line in page.lines if line.bottom <= high), key=lambda line: line.top)
    feet = sorted((line for line in page.lines if line.top >= low), key=lambda line: -line.bottom)
    for at_top, lines in ((True, tops), (False, feet)):
        for line in lines[:_DEEPEST]:
            if line.size > body * _LARGE:
                break
            yield (at_top, round(line.bottom / 2), _NUMBERS.sub("#", line.text.lower())), line


def _rows(edges: Sequence[Sequence[tuple[_Key, Line]]], repeated: set[_Key]) -> set[_Key]:
    """Return the rows in which most lines are repeated ones; what else stands there is like it."""
    all_in: Counter[_Key] = Counter()
    ours: Counter[_Key] = Counter()
    for found in edges:
        for key in {key for key, _ in found}:
            row = (key[0], key[1], "")
            all_in[row] += 1
            ours[row] += key in repeated
    return {row for row, count in ours.items() if count >= max(_MOST, all_in[row] * _ROW_SHARE)}


def _gone(found: Sequence[tuple[_Key, Line]], repeated: set[_Key], rows: set[_Key]) -> set[int]:
    gone: set[int] = set()
    open_ends = {True, False}
    for key, line in found:
        if key[0] not in open_ends:
            continue
        if key in repeated or (key[0], key[1], "") in rows:
            gone.add(id(line))
        else:
            open_ends.discard(key[0])
    return gone
