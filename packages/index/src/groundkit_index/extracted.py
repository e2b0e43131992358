"""Quotes of extracted text, which another extractor version may set a little differently."""

from __future__ import annotations

import re
from typing import NamedTuple

from groundkit_core.anchors import Located, Quote, locate

_WORD = re.compile(r"\w+")


def locate_extracted(text: str, quote: Quote, start: int) -> Located:
    """Find a quote in a later extraction: as it is, else by its words in their order.

    Marks, spaces and punctuation may differ between two versions of an extractor; the words of
    what was quoted may not. Of several places with the same words none is taken.
    """
    found = locate(text, quote, start)
    if found.verdict != "drifted":
        return found
    place = _only_run(text, _WORD.findall(quote.exact))
    return Located("relocated", place.start, place.end) if place else found


class _Run(NamedTuple):
    start: int
    end: int


def _only_run(text: str, words: list[str]) -> _Run | None:
    """Return the one place where these words follow one another with no word in between."""
    if not words:
        return None
    pattern = re.compile(r"(?<!\w)" + r"\W+".join(map(re.escape, words)) + r"(?!\w)")
    first = pattern.search(text)
    if first is None or pattern.search(text, first.start() + 1):
        return None
    return _Run(first.start(), first.end())
