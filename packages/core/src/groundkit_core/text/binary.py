"""Telling data that is not text."""

from __future__ import annotations

MAX_CONTROL_SHARE = 0.1
"""Share of control bytes above which well-formed UTF-8 is taken for binary."""

MAX_LEGACY_CONTROL_SHARE = 0.01
"""The same for bytes of an unknown encoding, where nothing else speaks for text."""

# Signatures with a byte that no text starts with, and PDF, whose header is its name.
_SIGNATURES = (
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x7fELF",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
    b"SQLite format 3\x00",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\x00asm",
    b"\x00\x00\x00\x01Bud1",
)
# Signatures in plain ASCII: a text may start with them, so they count only where UTF-8 fails.
_ASCII_SIGNATURES = (b"GIF8", b"BZh", b"MZ", b"RIFF", b"OggS", b"ID3", b"fLaC", b"wOFF", b"wOF2")
_TEXT_CONTROLS = b"\b\t\n\v\f\r\x1b"
_CONTROLS = bytes(c for c in (*range(0x20), 0x7F) if c not in _TEXT_CONTROLS)


def has_signature(data: bytes) -> bool:
    """Whether the bytes start like a known binary format."""
    return data.startswith(_SIGNATURES)


def has_ascii_signature(data: bytes) -> bool:
    """Whether the bytes start with the letters that name a binary format."""
    return data.startswith(_ASCII_SIGNATURES)


def control_share(data: bytes) -> float:
    """The share, 0 to 1, of control bytes other than white space, backspace and escape."""
    if not data:
        return 0.0
    return 1 - len(data.translate(None, _CONTROLS)) / len(data)
