"""What kind of document bytes are; what they begin with counts before the name."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import FormatKind, Kind
from groundkit_core.paths import open_beneath

HEAD_BYTES = 4096

_PDF_HEADER = b"%PDF-"
_PDF_WITHIN = 1024
"""Readers accept a PDF header anywhere in the first kilobyte."""

_ZIP = b"PK\x03\x04"
_PARTS: dict[bytes, FormatKind] = {
    b"word/document": "docx",
    b"ppt/presentation": "pptx",
    b"xl/workbook": "xlsx",
}
_EPUB = b"mimetypeapplication/epub+zip"
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)*"
    rb"<(?:!doctype\s+html|html|head|body)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_MAYBE_HTML = frozenset({"text", "docx", "pdf", "pptx", "xlsx", "epub"})
"""Names under which a saved page turns up: no suffix that says something, or a download."""


def detect(data: bytes, named: Kind | None) -> Kind | None:
    """Return the kind of a document.

    Args:
        data: its bytes, or the first `HEAD_BYTES` of them.
        named: the kind that its name tells.
    """
    if _PDF_HEADER in data[:_PDF_WITHIN] and not _is_text(named, data):
        return Kind("pdf")
    if data.startswith(_ZIP):
        return _zipped(data) or named
    if (named is None or named.name in _MAYBE_HTML) and _HTML.match(data[:HEAD_BYTES]):
        return Kind("html")
    return named


def sniffed(root: Path, source: str) -> Kind | None:
    """Return the kind of a file whose name tells none, by its first bytes."""
    try:
        file, _ = open_beneath(root, source, max_bytes=sys.maxsize)
    except DocumentRefusedError:
        return None
    with file:
        try:
            return detect(file.read(HEAD_BYTES), None)
        except OSError:
            return None


def _is_text(named: Kind | None, data: bytes) -> bool:
    """Return whether a PDF header is only quoted, as in a source file about PDF."""
    return named is not None and not named.extracted and not data.startswith(_PDF_HEADER)


def _zipped(data: bytes) -> Kind | None:
    if _EPUB in data[:200]:
        return Kind("epub")
    for part, name in _PARTS.items():
        if part in data:
            return Kind(name)
    return None
