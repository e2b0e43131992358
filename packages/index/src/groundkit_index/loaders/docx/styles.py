"""What the styles of a Word document say about its structure."""

from __future__ import annotations

import re
from typing import NamedTuple

from groundkit_index.loaders.docx.names import VAL, W, switched, value
from groundkit_index.loaders.xmltree import Element, number

_HEADING = re.compile(r"heading ?(\d+)")
_CODE = frozenset({"source code", "html preformatted", "code", "preformatted text", "macro"})
_CONTENTS = re.compile(r"toc (\d+|heading)|contents (\d+|heading)|table of figures")
_BODY_LEVEL = 9
_LONGEST_CHAIN = 32


class Style(NamedTuple):
    """What a style and those it is based on say.

    Attributes:
        level: 1 to 6 for a heading, 0 for none, None where nothing is said.
        list_id: the numbering it has; None where nothing is said, `0` for none.
        list_level: the level in it, from 0; None where nothing is said.
        contents: whether it is for the entries of a table of contents.
    """

    level: int | None = None
    list_id: str | None = None
    list_level: int | None = None
    hidden: bool = False
    code: bool = False
    contents: bool = False
    title: bool = False


class Styles:
    """The styles by id."""

    def __init__(self, tree: Element | None) -> None:
        found = tree.iter(f"{W}style") if tree is not None else ()
        self._elements = {one.get(f"{W}styleId", ""): one for one in found}
        self._styles: dict[str, Style] = {}

    def __getitem__(self, name: str) -> Style:
        style = self._styles.get(name)
        if style is None:
            style = self._styles[name] = self._resolved(name)
        return style

    def _resolved(self, name: str) -> Style:
        if not self._elements:
            return _named(re.sub(r"(\d)", r" \1", name.lower(), count=1))
        style = Style()
        for _ in range(_LONGEST_CHAIN):
            element = self._elements.get(name)
            if element is None:
                break
            style = _merged(style, element)
            name = value(element, "basedOn")
        return style


def outline_level(properties: Element) -> int | None:
    """Return the heading level that paragraph properties set; 0 for body text."""
    element = properties.find(f"{W}outlineLvl")
    if element is None:
        return None
    level = number(element.get(VAL), _BODY_LEVEL)
    return min(level + 1, 6) if 0 <= level < _BODY_LEVEL else 0


def list_of(properties: Element) -> tuple[str | None, int | None]:
    """Return the numbering and the level in it that paragraph properties set."""
    element = properties.find(f"{W}numPr")
    if element is None:
        return None, None
    level = element.find(f"{W}ilvl")
    return value(element, "numId") or None, None if level is None else number(level.get(VAL))


def _merged(style: Style, base: Element) -> Style:
    """Return a style that says what its base says, where it says nothing itself."""
    own = _named(value(base, "name").lower())
    paragraph, run = base.find(f"{W}pPr"), base.find(f"{W}rPr")
    level, list_id, list_level = own.level, None, None
    if paragraph is not None:
        said = outline_level(paragraph)
        level = level if said is None or level is not None else said
        list_id, list_level = list_of(paragraph)
    vanish = run.find(f"{W}vanish") if run is not None else None
    return Style(
        style.level if style.level is not None else level,
        style.list_id if style.list_id is not None else list_id,
        style.list_level if style.list_level is not None else list_level,
        style.hidden or switched(vanish),
        style.code or own.code,
        style.contents or own.contents,
        style.title or own.title,
    )


def _named(name: str) -> Style:
    heading = _HEADING.fullmatch(name)
    title = name == "title"
    level = min(max(int(heading[1]), 1), 6) if heading else 1 if title else None
    if name == "subtitle":
        level = 0
    return Style(
        level,
        code=name in _CODE,
        contents=_CONTENTS.fullmatch(name) is not None,
        title=title,
    )
