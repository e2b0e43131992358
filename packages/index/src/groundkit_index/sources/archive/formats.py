"""Which files are archives, by what they begin with and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Format = Literal["zip", "tar", "gz", "bz2", "xz"]

HEAD_BYTES = 512

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_SUFFIXES: dict[str, Format] = {
    ".zip": "zip",
    ".tar": "tar",
    ".tar.gz": "gz",
    ".tgz": "gz",
    ".tar.bz2": "bz2",
    ".tbz2": "bz2",
    ".tbz": "bz2",
    ".tar.xz": "xz",
    ".txz": "xz",
}
_NESTED = (*_SUFFIXES, ".7z", ".rar", ".tar.zst", ".tzst", ".tar.lz", ".tar.lzma", ".cpio")
# Members by which a ZIP file is a document or a program, whatever it is called.
_OTHER_FORMATS = frozenset(
    {"[Content_Types].xml", "AndroidManifest.xml", "META-INF/MANIFEST.MF", "mimetype"}
)


def is_archive(head: bytes, name: str, names: Sequence[str] | None = None) -> bool:
    """Return whether a file is an archive whose members are documents.

    Office files, EPUB, JAR and wheels are ZIP files too, but documents or programs.

    Args:
        head: its first `HEAD_BYTES` bytes or more.
        name: its name.
        names: the names of its members, when they are known.
    """
    by_name = format_of_name(name)
    if by_name is None or by_name != format_of_bytes(head):
        return False
    return by_name != "zip" or not _OTHER_FORMATS & set(names or ())


def has_archive_suffix(name: str) -> bool:
    """Return whether a member is called like an archive of any kind."""
    return name.lower().endswith(_NESTED)


def format_of_name(name: str) -> Format | None:
    """Return the format that a file is called after, or None."""
    lower = name.lower()
    return next((kind for suffix, kind in _SUFFIXES.items() if lower.endswith(suffix)), None)


def format_of_bytes(head: bytes) -> Format | None:
    """Return the format that bytes begin with, or None; what is packed need not be a TAR."""
    if head.startswith(_ZIP):
        return "zip"
    if head.startswith(b"\x1f\x8b"):
        return "gz"
    if head.startswith(b"BZh"):
        return "bz2"
    if head.startswith(b"\xfd7zXZ\0"):
        return "xz"
    return "tar" if _is_tar_header(head[:512]) else None


def _is_tar_header(block: bytes) -> bool:
    """Check the sum in a header; old archives have no other mark."""
    if len(block) < 512:
        return False
    try:
        told = int(block[148:156].rstrip(b" \0") or b"0", 8)
    except ValueError:
        return False
    return told == sum(block[:148]) + 256 + sum(block[156:]) if any(block) else True
