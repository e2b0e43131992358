"""The bookmarks of a document."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as raw

_MOST = 20_000
_DEEPEST = 32
_MAX_TITLE_BYTES = 2_000


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline.

    Attributes:
        page: from 0.
        level: from 1.
    """

    title: str
    page: int
    level: int


def outline_of(document: pypdfium2.PdfDocument) -> list[Bookmark]:
    """Return the bookmarks that lead to a page, in order; loops and excess are left out."""
    found: list[Bookmark] = []
    seen: set[int] = set()
    stack = [(raw.FPDFBookmark_GetFirstChild(document, None), 1)]
    while stack and len(seen) < _MOST:
        mark, level = stack.pop()
        address = ctypes.cast(mark, ctypes.c_void_p).value
        if not address or address in seen:
            continue
        seen.add(address)
        target = raw.FPDFBookmark_GetDest(document, mark)
        page = raw.FPDFDest_GetDestPageIndex(document, target) if target else -1
        if page >= 0:
            found.append(Bookmark(_title(mark), page, level))
        stack.append((raw.FPDFBookmark_GetNextSibling(document, mark), level))
        if level < _DEEPEST:
            stack.append((raw.FPDFBookmark_GetFirstChild(document, mark), level + 1))
    return found


def _title(mark: raw.FPDF_BOOKMARK) -> str:
    size = min(raw.FPDFBookmark_GetTitle(mark, None, 0), _MAX_TITLE_BYTES)
    buffer = ctypes.create_string_buffer(size)
    if raw.FPDFBookmark_GetTitle(mark, buffer, size) > size:
        return ""
    return buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "replace")
