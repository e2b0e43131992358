"""From PDFium's coordinates to points from the top left corner of a page as it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_index.loaders.pdf import calls
from groundkit_index.loaders.pdf.calls import Edges

_LETTER: Edges = (0.0, 792.0, 612.0, 0.0)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page's shown part and its turn.

    Attributes:
        box: what of the page is shown, in PDFium's coordinates.
        turns: quarter turns clockwise.
    """

    box: Edges
    turns: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown."""
        left, top, right, bottom = self.box
        wide, high = right - left, top - bottom
        return (high, wide) if self.turns % 2 else (wide, high)

    def shown(self, edges: Edges) -> Edges:
        """Return a box as left, top, right, bottom from the top left corner."""
        left, top, right, bottom = edges
        x, y_top, x_end, y_end = self.box
        if self.turns == 0:
            return left - x, y_top - top, right - x, y_top - bottom
        if self.turns == 1:
            return bottom - y_end, left - x, top - y_end, right - x
        if self.turns == 2:
            return x_end - right, bottom - y_end, x_end - left, top - y_end
        return y_top - top, x_end - right, y_top - bottom, x_end - left


def sheet_of(page: int) -> Sheet:
    """Return the shown part of a page."""
    found = calls.page_box(page)
    box = found if found and found[2] > found[0] and found[1] > found[3] else _LETTER
    return Sheet(box, calls.rotation_of(page) % 4)


def union(boxes: list[Edges]) -> Edges:
    """Return the box around boxes whose top is above their bottom, in PDFium's coordinates."""
    return (
        min(box[0] for box in boxes),
        max(box[1] for box in boxes),
        max(box[2] for box in boxes),
        min(box[3] for box in boxes),
    )
