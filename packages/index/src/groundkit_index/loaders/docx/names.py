"""Names of the WordprocessingML elements that are read (ECMA-376 part 1, chapter 17)."""

from __future__ import annotations

from groundkit_index.loaders.xmltree import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
VAL = f"{W}val"

_OFF = frozenset({"0", "false", "off"})


def value(element: Element, name: str) -> str:
    """Return the value of a child property; empty where there is none."""
    child = element.find(W + name)
    return (child.get(VAL) or "") if child is not None else ""


def switched(element: Element | None) -> bool:
    """Tell whether a property that is on by being there is on."""
    return element is not None and (element.get(VAL) or "1") not in _OFF
