"""The sections of INI files and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundkit_core.chunking.config.keys import Key

_SECTION = re.compile(r"^\[\[?[ \t]*([^\]\n]+?)[ \t]*\]\]?[ \t]*(?:[#;].*)?$", re.MULTILINE)


def ini_keys(text: str) -> Iterator[Key]:
    """The sections of a file, in order."""
    for found in _SECTION.finditer(text):
        yield Key(found.start(), 1, found.group(1))
