"""Draws a page with boxes on it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Box
from groundkit_index.loaders.pdf.document import opened
from groundkit_index.loaders.refusing import refusing

MAX_PIXELS = 20_000_000
"""A larger image is drawn at a smaller scale."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = 3
_YELLOW = (255, 235, 90)
_MARKER = [bytes(level * share // 255 for level in range(256)) for share in _YELLOW]


def draw_page(data: bytes, page: int, boxes: Sequence[Box], *, scale: float = 2.0) -> bytes:
    """Return a page as a PNG image, with boxes as if by a yellow marker.

    Not to be called from several threads at once, as PDFium is not made for it.

    Args:
        data: the document's bytes.
        page: from 1.
        boxes: those of other pages are left out.
        scale: pixels per point; less where the image had more than `MAX_PIXELS`.

    Raises:
        DocumentRefusedError: the document or the page cannot be read.
    """
    with refusing(), opened(data) as document:
        if not 1 <= page <= len(document):
            raise DocumentRefusedError("broken", f"it has no page {page}")
        sheet = document[page - 1]
        wide, high = sheet.get_size()
        scale = min(scale, (MAX_PIXELS / max(wide * high, 1.0)) ** 0.5)
        bitmap = sheet.render(scale=scale, rev_byteorder=True, may_draw_forms=False)
        pixels, stride = bytearray(bitmap.buffer), bitmap.stride
        if bitmap.n_channels != _CHANNELS:
            raise DocumentRefusedError("broken", "its page has no colours")
        size = bitmap.width, bitmap.height
        bitmap.close()
        sheet.close()
    for box in boxes:
        if box.page == page:
            _mark(pixels, stride, size, box, scale)
    return _png(pixels, stride, size)


def _mark(pixels: bytearray, stride: int, size: tuple[int, int], box: Box, scale: float) -> None:
    """Darken the pixels of a box towards yellow; what is black stays black."""
    left, right = _within(box.left * scale, size[0]), _within(box.right * scale + 1, size[0])
    top, bottom = _within(box.top * scale, size[1]), _within(box.bottom * scale + 1, size[1])
    for row in range(top, bottom):
        start, stop = row * stride + left * _CHANNELS, row * stride + right * _CHANNELS
        for channel, table in enumerate(_MARKER):
            part = slice(start + channel, stop, _CHANNELS)
            pixels[part] = pixels[part].translate(table)


def _within(edge: float, size: int) -> int:
    return min(max(int(edge), 0), size)


def _png(pixels: bytearray, stride: int, size: tuple[int, int]) -> bytes:
    """Return RGB pixels as PNG (ISO/IEC 15948), eight bits a channel and no filter."""
    width, height = size
    rows = (pixels[row * stride : row * stride + width * _CHANNELS] for row in range(height))
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = _part(b"IHDR", header), _part(b"IDAT", packed), _part(b"IEND", b"")
    return _SIGNATURE + b"".join(parts)


def _part(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
