"""Opens documents, and says why one cannot be."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2
import pypdfium2.raw as raw

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.pdf import calls

_LOCKED = {raw.FPDF_ERR_PASSWORD: "it needs a password", raw.FPDF_ERR_SECURITY: "unknown lock"}


@contextmanager
def opened(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """Yield a document and close it; its scripts and forms are never run.

    Raises:
        DocumentRefusedError: `encrypted` or `broken`.
    """
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = _LOCKED.get(getattr(error, "err_code", None) or 0)
        if locked:
            raise DocumentRefusedError("encrypted", locked) from None
        raise DocumentRefusedError("broken", "it is not a whole PDF document") from None
    try:
        yield document
    finally:
        document.close()


def handle(document: pypdfium2.PdfDocument) -> int:
    """Return a document's handle as `calls` takes it."""
    return ctypes.cast(document.raw, ctypes.c_void_p).value or 0


@contextmanager
def page_text(document: int, number: int) -> Iterator[tuple[int, int]]:
    """Yield the handles of a page and its text, and close them; (0, 0) for a broken page.

    Args:
        document: its handle.
        number: the page, from 0.
    """
    page = calls.load_page(document, number)
    text = calls.load_text(page) if page else None
    try:
        yield (page, text) if text else (0, 0)
    finally:
        if text:
            calls.close_text(text)
        if page:
            calls.close_page(page)
