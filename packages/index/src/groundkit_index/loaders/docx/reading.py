"""Reads the body of a Word document, block by block."""

from __future__ import annotations

from collections.abc import Iterator

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.docx.blocks import Block, Note, Paragraph, Table, flat
from groundkit_index.loaders.docx.inline import Inline
from groundkit_index.loaders.docx.names import VAL, W
from groundkit_index.loaders.docx.numbering import Numbering
from groundkit_index.loaders.docx.styles import Style, Styles, list_of, outline_level
from groundkit_index.loaders.ooxml.drawing import outermost, texts_of_parts
from groundkit_index.loaders.ooxml.package import MC, Package
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xmltree import Element, number

_P, _TBL, _TR, _TC = f"{W}p", f"{W}tbl", f"{W}tr", f"{W}tc"
_WRAPPERS = frozenset(W + name for name in ("sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_TEXT_BOX = f"{W}txbxContent"
_MOST_COLUMNS = 1_000


class Reader:
    """Goes through a document once.

    Attributes:
        hidden: code points that were left out because they are hidden.
    """

    def __init__(self, package: Package, limits: Limits) -> None:
        part = package.main()
        self._package = package
        self._limits = limits
        self._relations = package.relations(part)
        self._root = package.tree(part)
        self._styles = Styles(package.tree_of(self._relations, "styles"))
        self._numbering = Numbering(package.tree_of(self._relations, "numbering"))
        self._inline = Inline(self._styles)
        self._note_trees: dict[str, dict[str, Element]] = {}
        self._references: list[tuple[str, str, str]] = []
        self._carried = ""
        self._contents = 0
        self._embedded = 0

    @property
    def hidden(self) -> int:
        """See above."""
        return self._inline.hidden

    def body(self) -> Iterator[Block]:
        """Yield the blocks of the document in order.

        Raises:
            DocumentRefusedError: it is no Word document.
        """
        if self._root.tag != f"{W}document":
            raise DocumentRefusedError("broken", "its main part is no Word document")
        for body in self._root.iterchildren(f"{W}body"):
            yield from self._blocks(body, 0)

    def take_notes(self) -> list[Note]:
        """Return the footnotes and endnotes of what was read since the last call."""
        taken, self._references = self._references, []
        return [Note(mark, self._note(kind, name)) for kind, name, mark in taken]

    def report(self) -> tuple[str, ...]:
        """Return one line each on what was left out."""
        found = []
        if self._contents:
            found.append(f"{self._contents} lines of a table of contents left out")
        if self._embedded:
            found.append(f"{self._embedded} embedded documents left out")
        if self.hidden:
            found.append(f"{self.hidden} hidden characters left out")
        return tuple(found)

    def _blocks(self, element: Element, depth: int) -> Iterator[Block]:
        if depth > self._limits.depth:
            raise DocumentRefusedError("over_limit", "its parts nest too deep")
        for child in element:
            tag = child.tag
            if tag == _P:
                paragraph = self._paragraph(child, depth)
                if paragraph is not None:
                    yield paragraph
            elif tag == _TBL:
                yield self._table(child, depth)
            elif tag in _WRAPPERS:
                yield from self._blocks(child, depth + 1)
            elif tag == f"{W}sdt":
                yield from self._control(child, depth)
            elif tag == f"{MC}AlternateContent":
                chosen = child.find(f"{MC}Choice")
                yield from self._blocks(child[-1] if chosen is None else chosen, depth + 1)
            elif tag == f"{W}altChunk":
                self._embedded += 1

    def _control(self, element: Element, depth: int) -> Iterator[Block]:
        gallery = element.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
        if gallery is not None and gallery.get(VAL) == "Table of Contents":
            self._contents += sum(1 for _ in element.iter(_P))
            return
        for content in element.iterchildren(f"{W}sdtContent"):
            yield from self._blocks(content, depth + 1)

    def _paragraph(self, element: Element, depth: int) -> Paragraph | None:
        properties = element.find(f"{W}pPr")
        style, level, list_id, list_level = self._described(properties)
        if style.contents:
            self._contents += 1
            self._inline.text(element, hides=False)
            return None
        text = self._carried + self._inline.text(element, hides=style.hidden)
        self._carried = ""
        self._references.extend(self._inline.references)
        found = Paragraph(text, level, code=style.code, title=style.title)
        found.boxes = [box for one in self._inline.drawings for box in self._boxes(one, depth)]
        if properties is not None and properties.find(f"{W}rPr/{W}del") is not None:
            self._carried = text  # the end of this paragraph was deleted
            found.text = ""
        elif list_id is not None and list_id in self._numbering:
            found.mark = self._numbering.next(list_id, list_level)
            found.depth = min(max(list_level, 0), 8) + 1
        return found if found.text.strip() or found.boxes else None

    def _described(self, properties: Element | None) -> tuple[Style, int, str | None, int]:
        """Return style, heading level, numbering and the level in it of a paragraph."""
        if properties is None:
            return Style(), 0, None, 0
        named = properties.find(f"{W}pStyle")
        style = self._styles[named.get(VAL, "")] if named is not None else Style()
        level = outline_level(properties)
        list_id, list_level = list_of(properties)
        return (
            style,
            (style.level or 0) if level is None else level,
            style.list_id if list_id is None else list_id,
            (style.list_level or 0) if list_level is None else list_level,
        )

    def _boxes(self, element: Element, depth: int) -> list[Block]:
        inline, self._inline.drawings = self._inline, []
        references = inline.references
        blocks: list[Block] = [
            block for box in outermost(element, _TEXT_BOX) for block in self._blocks(box, depth + 1)
        ]
        texts = texts_of_parts(element, self._package, self._relations)
        blocks.extend(Paragraph(text) for text in texts)
        inline.references = references
        return blocks

    def _table(self, element: Element, depth: int) -> Table:
        rows = []
        for row in self._inside(element, _TR):
            properties = row.find(f"{W}trPr")
            if properties is not None and properties.find(f"{W}del") is not None:
                continue
            rows.append(self._row(row, properties, depth))
        look = element.find(f"{W}tblPr/{W}tblLook")
        return Table(rows, look is None or look.get(f"{W}firstRow") not in {"0", "false"})

    def _row(self, row: Element, properties: Element | None, depth: int) -> list[list[Block]]:
        cells: list[list[Block]] = []
        if properties is not None:
            cells.extend([] for _ in range(_span(properties.find(f"{W}gridBefore"))))
        for cell in self._inside(row, _TC):
            about = cell.find(f"{W}tcPr")
            merged = about.find(f"{W}vMerge") if about is not None else None
            blocks = list(self._blocks(cell, depth + 1))
            goes_on = merged is not None and merged.get(VAL) != "restart"
            cells.append([] if goes_on else blocks)
            width = _span(about.find(f"{W}gridSpan")) if about is not None else 1
            cells.extend([] for _ in range(width - 1))
        return cells[:_MOST_COLUMNS]

    def _inside(self, element: Element, tag: str) -> Iterator[Element]:
        """Yield the rows of a table or the cells of a row, in controls too."""
        for child in element:
            if child.tag == tag:
                yield child
            elif child.tag in _WRAPPERS or child.tag == f"{W}sdt":
                yield from self._inside(child, tag)

    def _note(self, kind: str, name: str) -> str:
        if kind not in self._note_trees:
            tree = self._package.tree_of(self._relations, f"{kind}s")
            found = tree.iter(W + kind) if tree is not None else ()
            self._note_trees[kind] = {one.get(f"{W}id", ""): one for one in found}
        element = self._note_trees[kind].pop(name, None)
        if element is None:
            return ""
        text = flat(list(self._blocks(element, 0)))
        self._references.clear()
        return text


def _span(element: Element | None) -> int:
    if element is None:
        return 0
    return min(max(number(element.get(VAL), 1), 0), _MOST_COLUMNS)
