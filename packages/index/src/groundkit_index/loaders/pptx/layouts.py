"""Where placeholders stand that say so only in their layout or master."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from groundkit_index.loaders.ooxml.drawing import A
from groundkit_index.loaders.ooxml.package import Package, Relation
from groundkit_index.loaders.xmltree import Element

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"

_TITLES = frozenset({"title", "ctrTitle"})
_BODIES = frozenset({"body", "obj", "subTitle", "tbl", "chart", "clipArt", "dgm", "media", "pic"})


class Frame(NamedTuple):
    """A rectangle on a slide, in EMU (1/914400 inch).

    Attributes:
        bullets: whether its paragraphs are items where they do not say otherwise.
    """

    left: int
    top: int
    width: int
    height: int
    bullets: bool = False


class Placeholder(NamedTuple):
    """What a shape is there for.

    Attributes:
        kind: such as `title`, `body` or `sldNum`.
        number: tells those of one kind apart.
    """

    kind: str
    number: str


def placeholder(shape: Element) -> Placeholder | None:
    """Return what a shape holds the place of; None for a shape of its own."""
    found = shape.find(f"./*/{P}nvPr/{P}ph")
    return None if found is None else Placeholder(found.get("type", "obj"), found.get("idx", "0"))


def own_frame(shape: Element) -> Frame | None:
    """Return where a shape itself says that it stands."""
    for path in (f"{P}spPr/{A}xfrm", f"{P}grpSpPr/{A}xfrm", f"{P}xfrm"):
        found = shape.find(path)
        if found is not None:
            return _frame(found)
    return None


class Layouts:
    """The placeholders of layouts and masters, each read once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._frames: dict[str, dict[Placeholder, Frame]] = {}

    def frames(self, relations: dict[str, Relation]) -> dict[Placeholder, Frame]:
        """Return the placeholders of the layout that a slide refers to."""
        return self._of(_target(relations, "slideLayout"), "slideMaster")

    def _of(self, part: str, above: str) -> dict[Placeholder, Frame]:
        if not part or part not in self._package:
            return {}
        if part not in self._frames:
            self._frames[part] = {}
            base: dict[Placeholder, Frame] = {}
            if above:
                base = self._of(_target(self._package.relations(part), above), "")
            self._frames[part] = base | dict(_placeholders(self._package.tree(part), base))
        return self._frames[part]


def find(frames: dict[Placeholder, Frame], wanted: Placeholder) -> Frame | None:
    """Return the frame of a placeholder: by number, else by kind."""
    if wanted in frames:
        return frames[wanted]
    for known, frame in frames.items():
        if known.number == wanted.number != "0":
            return frame
    for known, frame in frames.items():
        if _family(known.kind) == _family(wanted.kind):
            return frame
    return None


def _family(kind: str) -> str:
    return "title" if kind in _TITLES else "body" if kind in _BODIES else kind


def _placeholders(
    tree: Element, base: dict[Placeholder, Frame]
) -> Iterator[tuple[Placeholder, Frame]]:
    for shape in tree.iter(f"{P}sp"):
        held = placeholder(shape)
        if held is None:
            continue
        frame = own_frame(shape) or find(base, held)
        if frame is not None:
            plain = shape.find(f"{P}txBody/{A}lstStyle/{A}lvl1pPr/{A}buNone") is not None
            bullets = held.kind in {"body", "obj"} and not plain
            yield held, frame._replace(bullets=bullets)


def _frame(transform: Element) -> Frame | None:
    offset, size = transform.find(f"{A}off"), transform.find(f"{A}ext")
    try:
        return Frame(
            int(offset.get("x")), int(offset.get("y")), int(size.get("cx")), int(size.get("cy"))
        )
    except (AttributeError, TypeError, ValueError):
        return None


def _target(relations: dict[str, Relation], kind: str) -> str:
    return next((one.target for one in relations.values() if one.kind == kind), "")
