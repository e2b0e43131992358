"""Which text of a page cannot be seen."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pypdfium2.raw as raw

from groundkit_index.loaders.pdf import calls
from groundkit_index.loaders.pdf.calls import Edges
from groundkit_index.loaders.pdf.geometry import Sheet

TINY = 1.0
"""Text of a size below this, in points, is not for reading."""

_FILLED = raw.FPDF_TEXTRENDERMODE_FILL
_UNPAINTED = {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}
_OUTLINED = {raw.FPDF_TEXTRENDERMODE_STROKE, raw.FPDF_TEXTRENDERMODE_STROKE_CLIP}
_NO_TEXT = raw.FPDF_TEXTRENDERMODE_UNKNOWN
_MAX_OBJECTS = 50_000
_MAX_DEPTH = 4
_SCAN_SHARE = 0.5


class Backdrop:
    """What is painted on a page besides text; looked up when something asks for it."""

    def __init__(self, page: int, sheet: Sheet) -> None:
        self._page = page
        self._sheet = sheet
        self._found: tuple[list[Edges], list[Edges]] | None = None

    @property
    def images(self) -> list[Edges]:
        """The boxes of images."""
        return self._look()[0]

    @property
    def is_scan(self) -> bool:
        """Whether images cover most of the page, so that unpainted text is their transcript."""
        left, top, right, bottom = self._sheet.box
        covered = 0.0
        for image in self.images:
            wide = min(image[2], right) - max(image[0], left)
            high = min(image[1], top) - max(image[3], bottom)
            covered += max(wide, 0.0) * max(high, 0.0)
        return covered >= _SCAN_SHARE * (right - left) * (top - bottom)

    def is_under(self, edges: Edges) -> bool:
        """Whether something that is not white lies where a box has its middle."""
        x, y = (edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2
        images, shapes = self._look()
        return any(
            left <= x <= right and bottom <= y <= top
            for left, top, right, bottom in (*images, *shapes)
        )

    def _look(self) -> tuple[list[Edges], list[Edges]]:
        if self._found is None:
            images: list[Edges] = []
            shapes: list[Edges] = []
            for item in _objects(self._page):
                kind = calls.type_of(item)
                if kind == raw.FPDF_PAGEOBJ_IMAGE:
                    images.append(calls.bounds_of(item))
                elif kind == raw.FPDF_PAGEOBJ_SHADING or _is_dark_shape(item, kind):
                    shapes.append(calls.bounds_of(item))
            self._found = images, shapes
        return self._found


class Visibility:
    """Tells which text objects of one page can be seen."""

    def __init__(self, page: int, sheet: Sheet) -> None:
        self._page = page
        self.backdrop = Backdrop(page, sheet)
        self._scan: bool | None = None

    def is_doubtful(self) -> bool:
        """Whether some text of the page is not painted, or painted in white."""
        page, object_at, mode_of = self._page, calls.object_at, calls.render_mode
        is_faint = calls.is_faint
        forms = []
        for number in range(min(calls.count_objects(page), _MAX_OBJECTS)):
            item = object_at(page, number)
            mode = mode_of(item)
            if mode == _NO_TEXT:
                if calls.type_of(item) == raw.FPDF_PAGEOBJ_FORM:
                    forms.append(item)
            elif mode != _FILLED or is_faint(item):
                return True
        inner = (item for item in _all_parts(forms) if calls.render_mode(item) != _NO_TEXT)
        return any(calls.render_mode(item) != _FILLED or is_faint(item) for item in inner)

    def is_seen(self, item: int, edges: Edges, size: float) -> bool:
        """Whether a text object is painted, in a colour and size that can be seen."""
        if size < TINY:
            return False
        mode = calls.render_mode(item)
        if mode in _UNPAINTED:
            return self._is_scan()
        colour = calls.fill_of(item)
        if colour is None or mode in _OUTLINED:
            return True
        if not colour[3]:
            return self._is_scan()
        return min(colour[:3]) < calls.WHITE or self.backdrop.is_under(edges)

    def _is_scan(self) -> bool:
        if self._scan is None:
            self._scan = self.backdrop.is_scan
        return self._scan


def _is_dark_shape(item: int, kind: int) -> bool:
    if kind != raw.FPDF_PAGEOBJ_PATH or not calls.is_filled(item):
        return False
    colour = calls.fill_of(item)
    return colour is None or min(colour[:3]) < calls.WHITE


def _objects(page: int) -> Iterator[int]:
    """Yield the objects of a page and of the forms in it."""
    object_at, type_of = calls.object_at, calls.type_of
    forms = []
    for number in range(min(calls.count_objects(page), _MAX_OBJECTS)):
        item = object_at(page, number) or 0
        yield item
        if type_of(item) == raw.FPDF_PAGEOBJ_FORM:
            forms.append(item)
    yield from _all_parts(forms)


def _all_parts(forms: list[int]) -> Iterator[int]:
    for _ in range(_MAX_DEPTH):
        forms = yield from _parts(forms)


def _parts(forms: list[int]) -> Generator[int, None, list[int]]:
    """Yield what is directly in forms; return the forms among it."""
    inner: list[int] = []
    for form in forms:
        for number in range(min(calls.count_parts(form), _MAX_OBJECTS)):
            item = calls.part_at(form, number) or 0
            yield item
            if calls.type_of(item) == raw.FPDF_PAGEOBJ_FORM:
                inner.append(item)
    return inner
