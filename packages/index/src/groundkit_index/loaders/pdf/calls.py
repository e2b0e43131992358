"""PDFium's functions that are called for every line; handles are plain integers.

The prototypes of pypdfium2 wrap each handle in an object, which costs more than the call.
"""

from __future__ import annotations

import ctypes
from struct import Struct
from typing import Any

import pypdfium2.raw as raw

_POINTER, _INT, _UINT, _ULONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_ulong


def _bound(function: Any, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(function, _POINTER).value or 0
    return ctypes.CFUNCTYPE(result, *arguments)(address)


load_page = _bound(raw.FPDF_LoadPage, _POINTER, _POINTER, _INT)
close_page = _bound(raw.FPDF_ClosePage, None, _POINTER)
load_text = _bound(raw.FPDFText_LoadPage, _POINTER, _POINTER)
close_text = _bound(raw.FPDFText_ClosePage, None, _POINTER)
count_chars = _bound(raw.FPDFText_CountChars, _INT, _POINTER)
get_text = _bound(raw.FPDFText_GetText, _INT, _POINTER, _INT, _INT, _POINTER)
unicode_of = _bound(raw.FPDFText_GetUnicode, _UINT, _POINTER, _INT)
object_of = _bound(raw.FPDFText_GetTextObject, _POINTER, _POINTER, _INT)
count_rects = _bound(raw.FPDFText_CountRects, _INT, _POINTER, _INT, _INT)
font_size = _bound(raw.FPDFText_GetFontSize, ctypes.c_double, _POINTER, _INT)
render_mode = _bound(raw.FPDFTextObj_GetTextRenderMode, _INT, _POINTER)
font_of = _bound(raw.FPDFTextObj_GetFont, _POINTER, _POINTER)
font_flags = _bound(raw.FPDFFont_GetFlags, _INT, _POINTER)
count_objects = _bound(raw.FPDFPage_CountObjects, _INT, _POINTER)
object_at = _bound(raw.FPDFPage_GetObject, _POINTER, _POINTER, _INT)
count_parts = _bound(raw.FPDFFormObj_CountObjects, _INT, _POINTER)
part_at = _bound(raw.FPDFFormObj_GetObject, _POINTER, _POINTER, _ULONG)
type_of = _bound(raw.FPDFPageObj_GetType, _INT, _POINTER)
rotation_of = _bound(raw.FPDFPage_GetRotation, _INT, _POINTER)

_font_name = _bound(raw.FPDFFont_GetBaseFontName, ctypes.c_size_t, _POINTER, _POINTER, _ULONG)
_loose_box = _bound(raw.FPDFText_GetLooseCharBox, _INT, _POINTER, _INT, _POINTER)
_origin = _bound(raw.FPDFText_GetCharOrigin, _INT, _POINTER, _INT, _POINTER, _POINTER)
_matrix = _bound(raw.FPDFText_GetMatrix, _INT, _POINTER, _INT, _POINTER)
_page_box = _bound(raw.FPDF_GetPageBoundingBox, _INT, _POINTER, _POINTER)
_bounds = _bound(raw.FPDFPageObj_GetBounds, _INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
_draw_mode = _bound(raw.FPDFPath_GetDrawMode, _INT, _POINTER, _POINTER, _POINTER)
_fill = _bound(raw.FPDFPageObj_GetFillColor, _INT, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
_rect = _bound(raw.FPDFText_GetRect, _INT, _POINTER, _INT, _POINTER, _POINTER, _POINTER, _POINTER)

_FLOATS = (ctypes.c_float * 6)()
_FLOATS_AT = ctypes.addressof(_FLOATS)
_EDGES = (ctypes.c_float * 8)()
_EDGES_AT = ctypes.addressof(_EDGES)
_eight = Struct("=8f").unpack_from
_four = Struct("=4f").unpack_from
_six = Struct("=6f").unpack_from
_COLOUR = (_UINT * 4)()
_COLOUR_AT = tuple(ctypes.addressof(_COLOUR) + 4 * number for number in range(4))
_colours = Struct("=4I").unpack_from
_DOUBLES = (ctypes.c_double * 4)()
_two = Struct("=2d").unpack_from
_DOUBLES_AT = tuple(ctypes.addressof(_DOUBLES) + 8 * number for number in range(4))
_NAME_BYTES = 128

WHITE = 250
"""The least red, green and blue of what is white."""

_NOTHING = (0.0, 0.0, 0.0, 0.0)

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom in PDFium's coordinates: points from the bottom left corner."""


def loose_box(text: int, index: int) -> Edges:
    """Return the box of a character: as wide as its advance, as high as its font size."""
    return _four(_FLOATS) if _loose_box(text, index, _FLOATS_AT) else _NOTHING


def measure(text: int, first: int, last: int) -> tuple[float, ...]:
    """Return the loose boxes of two characters, the first one's base line and font size."""
    found = _loose_box(text, first, _EDGES_AT) and _loose_box(text, last, _EDGES_AT + 16)
    if not found or not _origin(text, first, _DOUBLES_AT[0], _DOUBLES_AT[1]):
        return (0.0,) * 10
    return *_eight(_EDGES), _DOUBLES[1], font_size(text, first)


def origin_of(text: int, index: int) -> tuple[float, float]:
    """Return where a character stands on its base line."""
    found = _origin(text, index, _DOUBLES_AT[0], _DOUBLES_AT[1])
    return _two(_DOUBLES) if found else (0.0, 0.0)


def matrix_of(text: int, index: int) -> tuple[float, ...]:
    """Return the matrix `a b c d e f` of a character; that of no change where it has none."""
    found = _matrix(text, index, _FLOATS_AT)
    return _six(_FLOATS) if found else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def rects(text: int, start: int, count: int) -> list[Edges]:
    """Return the boxes of a range of characters, one per text object."""
    found = []
    for number in range(count_rects(text, start, count)):
        _rect(text, number, *_DOUBLES_AT)
        found.append((_DOUBLES[0], _DOUBLES[1], _DOUBLES[2], _DOUBLES[3]))
    return found


def page_box(page: int) -> Edges | None:
    """Return what of a page is shown."""
    return _four(_FLOATS) if _page_box(page, _FLOATS_AT) else None


def fill_of(item: int) -> tuple[int, int, int, int] | None:
    """Return an object's fill as red, green, blue and opacity, 0 to 255; None for a pattern."""
    return _colours(_COLOUR) if _fill(item, *_COLOUR_AT) else None


def is_faint(item: int) -> bool:
    """Whether an object's fill is white or cannot be seen at all."""
    if not _fill(item, _COLOUR_AT[0], _COLOUR_AT[1], _COLOUR_AT[2], _COLOUR_AT[3]):
        return False
    return not _COLOUR[3] or (_COLOUR[0] >= WHITE and _COLOUR[1] >= WHITE and _COLOUR[2] >= WHITE)


def bounds_of(item: int) -> Edges:
    """Return the box of an object, in the coordinates of what it is part of."""
    found = _bounds(item, *(_FLOATS_AT + 4 * number for number in range(4)))
    left, bottom, right, top = _four(_FLOATS) if found else (0.0, 0.0, 0.0, 0.0)
    return left, top, right, bottom


def is_filled(path: int) -> bool:
    """Whether a path's inside is painted."""
    found = _draw_mode(path, _COLOUR_AT[0], _COLOUR_AT[1])
    return bool(found) and _colours(_COLOUR)[0] != raw.FPDF_FILLMODE_NONE


def font_name(font: int) -> str:
    """Return the base name of a font; may be empty."""
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    size = _font_name(font, ctypes.addressof(buffer), _NAME_BYTES)
    return buffer.value.decode("utf-8", "replace") if 0 < size <= _NAME_BYTES else ""


def text_of(text: int, start: int, count: int) -> str:
    """Return characters of a page, one code point each.

    A hyphen at the end of a line is U+0002; what has no Unicode value is NUL.
    """
    buffer = _buffer(4 * count + 4)
    units = get_text(text, start, count, buffer)
    found = ctypes.string_at(buffer, 2 * max(units - 1, 0)).decode("utf-16-le", "surrogatepass")
    if len(found) != count:
        return "".join(map(chr, _codes(text, start, count)))
    return found.replace("\ufffe", "\x02")


_held = [ctypes.create_string_buffer(2**16)]


def _buffer(size: int) -> int:
    """Return the address of at least so many bytes, which the next call uses again."""
    if len(_held[0]) < size:
        _held[0] = ctypes.create_string_buffer(size)
    return ctypes.addressof(_held[0])


def _codes(text: int, start: int, count: int) -> list[int]:
    """Return code points, where the two halves of a pair become the whole one and NUL."""
    codes = [min(unicode_of(text, at), 0x10FFFF) for at in range(start, start + count)]
    for at in range(len(codes) - 1):
        high, low = codes[at], codes[at + 1]
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            codes[at : at + 2] = 0x10000 + ((high - 0xD800) << 10) + low - 0xDC00, 0
    return codes
