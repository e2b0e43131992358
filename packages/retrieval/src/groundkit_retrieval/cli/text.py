"""Makes document text and names safe for a terminal."""

from __future__ import annotations

import re

# Terminal controls and bidirectional overrides; a tab or newline is kept only in passages.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = re.compile("[\t\n]")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def passage_text(text: str) -> str:
    """Return text with line ends as newlines and controls written as escapes."""
    return _UNSAFE.sub(_escaped, text.replace("\r\n", "\n").replace("\r", "\n"))


def printable(name: str) -> str:
    """Return a name on one line with controls written as escapes."""
    return _BREAKS.sub(_escaped, _UNSAFE.sub(_escaped, name))
