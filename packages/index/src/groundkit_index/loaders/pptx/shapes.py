"""The shapes of a slide in reading order, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.ooxml.drawing import A, line, lines
from groundkit_index.loaders.ooxml.package import MC
from groundkit_index.loaders.pptx.layouts import Frame, P, Placeholder, find, own_frame, placeholder
from groundkit_index.loaders.xmltree import Element

FIELDS = frozenset({"slidenum"})
_FURNITURE = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
_TITLES = frozenset({"title", "ctrTitle"})
_SHAPES = frozenset(P + name for name in ("sp", "grpSp", "graphicFrame", "cxnSp"))
_MOST_COLUMNS = 1_000


class Shape(NamedTuple):
    """A shape with text.

    Attributes:
        title: whether it is the slide's title.
        bullets: whether its paragraphs are items where they do not say otherwise.
        seen: whether it can be seen on the slide.
    """

    element: Element
    frame: Frame | None
    title: bool = False
    bullets: bool = False
    seen: bool = True


class Line(NamedTuple):
    """A paragraph in a shape.

    Attributes:
        depth: how deep in lists, from 1; 0 outside.
        numbered: whether it is counted.
    """

    text: str
    depth: int
    numbered: bool


def shapes(
    tree: Element,
    frames: dict[Placeholder, Frame],
    size: tuple[int, int] | None,
    depth: int,
    *,
    seen: bool = True,
) -> Iterator[Shape]:
    """Yield the shapes below a tree of shapes: the title first, then from the top left.

    Args:
        tree: the slide's or a group's.
        frames: where the layout has its placeholders.
        size: width and height of the slide; None inside of groups, which have their own measure.
        depth: how deep groups may nest yet.
        seen: whether the group they are in can be seen.
    """
    if depth < 0:
        raise DocumentRefusedError("over_limit", "its shapes nest too deep")
    found = [_shape(one, frames, size, seen=seen) for one in _children(tree)]
    for shape in _in_order([one for one in found if one is not None]):
        if shape.element.tag == f"{P}grpSp":
            yield from shapes(shape.element, frames, None, depth - 1, seen=shape.seen)
        else:
            yield shape


def paragraphs(body: Element, *, bullets: bool) -> Iterator[Line]:
    """Yield the paragraphs of a text body."""
    found = [(one, line(one, skip=FIELDS)) for one in body.iterchildren(f"{A}p")]
    found = [(one, text) for one, text in found if text.strip()]
    for one, text in found:
        about = one.find(f"{A}pPr")
        level, listed, numbered = 0, bullets and len(found) > 1, False
        if about is not None:
            level = int(about.get("lvl", "0")) if about.get("lvl", "0").isdecimal() else 0
            numbered = about.find(f"{A}buAutoNum") is not None
            if numbered or about.find(f"{A}buChar") is not None:
                listed = True
            elif about.find(f"{A}buNone") is not None:
                listed = False
        yield Line(text, min(level, 8) + 1 if listed else 0, numbered)


def rows(table: Element) -> list[list[str]]:
    """Return the cells of a table; what a merged cell spans beyond its first is empty."""
    found = []
    for row in table.iterchildren(f"{A}tr"):
        cells = list(row.iterchildren(f"{A}tc"))[:_MOST_COLUMNS]
        found.append([_cell(cell) for cell in cells])
    return found


def _cell(cell: Element) -> str:
    merged = {cell.get("hMerge", "0"), cell.get("vMerge", "0")}
    return "" if merged & {"1", "true"} else lines(cell)


def _children(tree: Element) -> Iterator[Element]:
    for child in tree:
        if child.tag in _SHAPES:
            yield child
        elif child.tag == f"{MC}AlternateContent":
            chosen = child.find(f"{MC}Choice")
            if chosen is not None:
                yield from (one for one in chosen if one.tag in _SHAPES)


def _shape(
    element: Element,
    frames: dict[Placeholder, Frame],
    size: tuple[int, int] | None,
    *,
    seen: bool,
) -> Shape | None:
    held = placeholder(element)
    if held is not None and held.kind in _FURNITURE:
        return None
    about = element.find(f"./*/{P}cNvPr")
    hidden = about is not None and about.get("hidden") in {"1", "true"}
    frame = own_frame(element)
    below = find(frames, held) if held is not None else None
    seen = seen and not hidden and not (frame is not None and size and _outside(frame, size))
    bullets = held is not None and held.kind in {"body", "obj"}
    return Shape(
        element,
        frame or below,
        title=held is not None and held.kind in _TITLES,
        bullets=below.bullets if below is not None else bullets,
        seen=seen,
    )


def _outside(frame: Frame, size: tuple[int, int]) -> bool:
    right, bottom = frame.left + frame.width, frame.top + frame.height
    return frame.left >= size[0] or frame.top >= size[1] or right <= 0 or bottom <= 0


def _in_order(found: Sequence[Shape]) -> list[Shape]:
    """The title first; then rows of shapes from the top, each from the left."""
    ordered: list[Shape] = [shape for shape in found if shape.title]
    others = [shape for shape in found if not shape.title]
    placed = [(shape.frame, shape) for shape in others if shape.frame is not None]
    placed.sort(key=lambda one: (one[0].top, one[0].left))
    while placed:
        limit = placed[0][0].top + placed[0][0].height // 3
        row = [one for one in placed if one[0].top <= limit]
        placed = placed[len(row) :]
        ordered.extend(shape for _, shape in sorted(row, key=lambda one: one[0].left))
    return [*ordered, *(shape for shape in others if shape.frame is None)]
