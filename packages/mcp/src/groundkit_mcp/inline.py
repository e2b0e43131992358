"""Words of documents, callers and file systems inside a line of ours."""

from __future__ import annotations

import json
import re
import unicodedata

_ESCAPED = ("C", "Zl", "Zp")
_PLAIN_PLACE = re.compile(r"[\w./:@+#~=,-]{1,400}")
_CUT = "…"


def one_line(text: str, longest: int = 500) -> str:
    """Return text that stays within its line: control, format and line characters escaped."""
    return _escaped(_clipped(text, longest))


def quoted(text: str, longest: int = 200) -> str:
    """Return text in double quotes that it cannot end."""
    return _escaped(json.dumps(_clipped(text, longest), ensure_ascii=False))


def place(link: str) -> str:
    """Return a link as it is when it is plain, else quoted."""
    return link if _PLAIN_PLACE.fullmatch(link) else quoted(link, 400)


def _clipped(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + _CUT


def _escaped(text: str) -> str:
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    if not unicodedata.category(char).startswith(_ESCAPED):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
