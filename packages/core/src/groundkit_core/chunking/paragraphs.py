"""Text between blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BREAK = re.compile(r"\n[ \t]*\n\s*")


def paragraph_starts(text: str, start: int, end: int) -> Iterator[int]:
    """The offsets at which the paragraphs of a span start, in order; the first is `start`.

    The later ones are starts of lines.
    """
    yield start
    for found in _BREAK.finditer(text, start, end):
        at = text.rfind("\n", found.start(), found.end()) + 1
        if at < end:
            yield at
