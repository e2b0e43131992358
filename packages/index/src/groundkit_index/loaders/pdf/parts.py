"""Boxes of parts of a line, read from the document again when one is asked for."""

from __future__ import annotations

from groundkit_core.structure import Box
from groundkit_index.loaders.pdf import calls
from groundkit_index.loaders.pdf.cleaning import columns, decoded
from groundkit_index.loaders.pdf.document import handle, opened, page_text
from groundkit_index.loaders.pdf.geometry import sheet_of
from groundkit_index.loaders.pdf.reading import line_box


class Parts:
    """See above; nothing stays open between calls.

    Args:
        data: the document's bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __call__(
        self, page: int, first: int, count: int, length: int, start: int, end: int
    ) -> Box | None:
        """Return the box of `clean(line)[start:end]`; None when the page cannot be read.

        Args:
            page: from 0.
            first: the line's first character in PDFium's text.
            count: its characters there.
            length: how long the cleaned line is at least.
            start: from which code point of the cleaned line on.
            end: before which.
        """
        with opened(self._data) as document, page_text(handle(document), page) as (sheet, text):
            if not sheet:
                return None
            line = decoded(calls.text_of(text, first, count))
            at = columns(line)
            if len(at) < length:
                at = columns(line, spaces=True)
            if not at[start:end]:
                return None
            low, high = at[start], at[start:end][-1]
            edges = sheet_of(sheet).shown(line_box(text, first + low, high - low + 1))
            return Box(page + 1, *edges)
