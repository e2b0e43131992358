"""Text between blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*+")
_BREAK = re.compile(r"\n[ \t]*\n\s*")


def paragraph_starts(text: str, start: int, end: int) -> Iterator[int]:
    """The offsets at which the paragraphs of a span start, in order.

    The first is `start` without blank lines, the later ones are starts of lines.
    """
    blank = _BLANK_LINES.match(text, start, end)
    yield blank.end() if blank else start
    for found in _BREAK.finditer(text, start, end):
        at = text.rfind("\n", found.start(), found.end()) + 1
        if at < end:
            yield at
