"""Writes the slides of a presentation."""

from __future__ import annotations

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.ooxml.drawing import A, lines, texts_of_parts
from groundkit_index.loaders.ooxml.package import Package, R, Relation
from groundkit_index.loaders.ooxml.tables import write_table
from groundkit_index.loaders.pptx.layouts import Layouts, P, placeholder
from groundkit_index.loaders.pptx.shapes import Shape, paragraphs, rows, shapes
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xmltree import Element

_DEEPEST_GROUP = 50


class Deck:
    """A presentation that is being written.

    Attributes:
        hidden: code points of hidden slides and shapes.
    """

    def __init__(self, package: Package, limits: Limits) -> None:
        self.builder = TextBuilder()
        self.hidden = 0
        self._package = package
        self._limits = limits
        self._layouts = Layouts(package)
        self._hidden_slides = 0
        self._size: tuple[int, int] | None = None

    def write(self) -> None:
        """Write the slides in the order of the show.

        Raises:
            DocumentRefusedError: it is no presentation, or beyond the limits.
        """
        part = self._package.main()
        root, relations = self._package.tree(part), self._package.relations(part)
        if root.tag != f"{P}presentation":
            raise DocumentRefusedError("broken", "its main part is no presentation")
        self._size = _size(root)
        listed = root.findall(f"{P}sldIdLst/{P}sldId")
        if len(listed) > self._limits.pages:
            raise DocumentRefusedError("over_limit", f"more than {self._limits.pages:,} slides")
        for number, one in enumerate(listed, 1):
            slide = relations.get(one.get(f"{R}id", ""))
            if slide is not None and slide.target in self._package:
                self._write_slide(number, slide.target)
            if self.builder.length > self._limits.characters:
                limit = f"more than {self._limits.characters:,} characters"
                raise DocumentRefusedError("over_limit", limit)

    def report(self) -> tuple[str, ...]:
        """Return one line each on what was left out."""
        found = []
        if self._hidden_slides:
            found.append(f"{self._hidden_slides} hidden slides left out")
        if self.hidden:
            found.append(f"{self.hidden} hidden characters left out")
        return tuple(found)

    def _write_slide(self, number: int, part: str) -> None:
        root = self._package.tree(part)
        relations = self._package.relations(part)
        if root.get("show") in {"0", "false"}:
            self._hidden_slides += 1
            self.hidden += len(lines(root))
            return
        fragment = f"slide={number}"
        self.builder.place(page=number, label=f"slide {number}", fragment=fragment, closes=True)
        tree = root.find(f"{P}cSld/{P}spTree")
        if tree is not None:
            frames = self._layouts.frames(relations)
            for shape in shapes(tree, frames, self._size, _DEEPEST_GROUP):
                self._write_shape(shape, relations)
        notes = self._package.tree_of(relations, "notesSlide")
        if notes is not None:
            self.builder.place(page=number, label=f"slide {number}, notes", fragment=fragment)
            self._write_notes(notes)

    def _write_shape(self, shape: Shape, relations: dict[str, Relation]) -> None:
        element = shape.element
        if not shape.seen:
            self.hidden += len(lines(element))
            return
        table = element.find(f"{A}graphic/{A}graphicData/{A}tbl")
        body = element.find(f"{P}txBody")
        if table is not None:
            about = table.find(f"{A}tblPr")
            header = about is None or about.get("firstRow") in {"1", "true"}
            write_table(self.builder, rows(table), header=header)
        elif body is not None and shape.title:
            self.builder.heading(lines(body), 1)
        elif body is not None:
            self._write_body(body, bullets=shape.bullets)
        elif element.tag == f"{P}graphicFrame":
            for text in texts_of_parts(element, self._package, relations):
                self.builder.paragraph(text)

    def _write_body(self, body: Element, *, bullets: bool) -> None:
        counts: dict[int, int] = {}
        for text, depth, numbered in paragraphs(body, bullets=bullets):
            for deeper in [one for one in counts if one > depth or not numbered]:
                del counts[deeper]
            if not depth:
                self.builder.paragraph(text)
                continue
            if numbered:
                counts[depth] = counts.get(depth, 0) + 1
            self.builder.item(text, depth=depth, mark=f"{counts[depth]}." if numbered else "-")

    def _write_notes(self, root: Element) -> None:
        for shape in root.iter(f"{P}sp"):
            held = placeholder(shape)
            body = shape.find(f"{P}txBody")
            if held is not None and held.kind == "body" and body is not None:
                self._write_body(body, bullets=False)


def _size(root: Element) -> tuple[int, int] | None:
    element = root.find(f"{P}sldSz")
    try:
        return (int(element.get("cx")), int(element.get("cy")))
    except (AttributeError, TypeError, ValueError):
        return None
