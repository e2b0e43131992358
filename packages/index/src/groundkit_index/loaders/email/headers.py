"""Headers of a message as people read them."""

from __future__ import annotations

from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from groundkit_index.loaders.email.charsets import decoded

MAX_HEADER_CHARS = 4_000
"""A header is cut after so many code points."""

SHOWN = ("From", "To", "Cc", "Date")


def subject(message: Message) -> str:
    """Return the subject; empty when there is none."""
    return header(message, "Subject")


def head_lines(message: Message) -> str:
    """Return a line for each of the headers that people read."""
    found = ((name, header(message, name)) for name in SHOWN)
    return "\n".join(f"{name}: {value}" for name, value in found if value)


def all_lines(message: Message) -> str:
    """Return a line for each header."""
    return "\n".join(f"{name}: {readable(str(value))}" for name, value in message.raw_items())


def header(message: Message, name: str) -> str:
    """Return one header on one line, decoded."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return readable(str(value))
    return ""


def readable(raw: str) -> str:
    """Return a raw header on one line, with its encoded words decoded."""
    text = raw[:MAX_HEADER_CHARS]
    if "=?" in text:
        try:
            parts = decode_header(text)
        except (HeaderParseError, ValueError):
            parts = [(text, None)]
        text = "".join(_part(part, charset) for part, charset in parts)
    return " ".join(_part(text, None).split())


def _part(part: str | bytes, charset: str | None) -> str:
    if isinstance(part, str):
        if part.isascii():
            return part
        # Bytes that are not ASCII come as lone surrogates.
        part = part.encode("utf-8", "surrogateescape")
    return decoded(part, charset)
