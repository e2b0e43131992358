"""Bytes of a message to text; a wrong or unknown charset costs characters, never the message."""

from __future__ import annotations

import codecs

from groundkit_core.text.detection import detect_encoding

# Codecs that no mail is written in, and that are slow or unsafe on hostile input.
_NEVER = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
_SILENT = frozenset({"ascii", "unknown-8bit"})
"""Charsets that say nothing when the bytes are not ASCII."""


def decoded(data: bytes, charset: str | None) -> str:
    """Return the text of a part.

    Bytes that the charset does not fit are read as UTF-8 when they are that; else a character
    that cannot be read is replaced. Without a charset the encoding is detected.
    """
    codec = _codec(charset)
    for name in (codec, "utf-8"):
        try:
            if name is not None:
                return data.decode(name)
        except (UnicodeError, ValueError):
            continue
    found = codec or detect_encoding(data) or "latin-1"
    try:
        return data.decode(found, "replace")
    except (UnicodeError, ValueError):
        return data.decode("latin-1")


def _codec(charset: str | None) -> str | None:
    try:
        name = codecs.lookup(charset or "ascii").name
        b"".decode(name)
    except (LookupError, ValueError):
        return None
    if name in _NEVER or name in _SILENT:
        return None
    return "cp1252" if name == "iso8859-1" else name
