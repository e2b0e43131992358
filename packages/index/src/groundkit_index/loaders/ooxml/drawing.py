"""Text of drawings, charts and diagrams in documents of every kind."""

from __future__ import annotations

from collections.abc import Iterator

from groundkit_index.loaders.ooxml.package import Package, R, Relation
from groundkit_index.loaders.xmltree import Element

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_SHEET_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_M_T = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_NOT_NODES = frozenset({"pres", "parTrans", "sibTrans"})


def outermost(element: Element, tag: str) -> Iterator[Element]:
    """Yield the elements with a tag that are not inside another one, in order."""
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if one.tag == tag:
            yield one
        else:
            waiting.extend(reversed(one))


def line(paragraph: Element, *, skip: frozenset[str] = frozenset()) -> str:
    """Return the text of a DrawingML paragraph.

    Args:
        paragraph: its element.
        skip: types of fields to leave out, such as `slidenum`.
    """
    parts = []
    for child in paragraph:
        tag = child.tag
        if tag == f"{A}r" or (tag == f"{A}fld" and child.get("type") not in skip):
            parts.append(child.findtext(f"{A}t") or "")
        elif tag == f"{A}br":
            parts.append("\n")
        elif not tag.startswith(A):
            parts.extend(one.text or "" for one in child.iter(_M_T))
    return "".join(parts).replace("\xad", "")


def lines(element: Element) -> str:
    """Return the text of all DrawingML paragraphs in an element, one a line."""
    found = (line(paragraph) for paragraph in element.iter(f"{A}p"))
    return "\n".join(text for text in found if text.strip())


def texts_of_parts(
    element: Element, package: Package, relations: dict[str, Relation]
) -> Iterator[str]:
    """Yield the titles of charts and the texts of diagrams that an element shows."""
    for one in element.iter(f"{_CHART}chart", f"{_DIAGRAM}relIds"):
        name = one.get(f"{R}id") or one.get(f"{R}dm") or ""
        target = relations[name].target if name in relations else ""
        if target and target in package:
            tree = package.tree(target)
            yield from _titles(tree) if one.tag.startswith(_CHART) else _nodes(tree)


def _titles(chart: Element) -> Iterator[str]:
    for title in chart.iter(f"{_CHART}title"):
        found = lines(title)
        if found:
            yield found


def _nodes(diagram: Element) -> Iterator[str]:
    for point in diagram.iter(f"{_DIAGRAM}pt"):
        if point.get("type") not in _NOT_NODES:
            found = lines(point)
            if found:
                yield found


def texts_of_drawing(
    drawing: Element, package: Package, relations: dict[str, Relation]
) -> Iterator[str]:
    """Yield the texts of the boxes, charts and diagrams that lie over a sheet."""
    for box in drawing.iter(f"{_SHEET_DRAWING}txBody"):
        found = lines(box)
        if found:
            yield found
    yield from texts_of_parts(drawing, package, relations)
