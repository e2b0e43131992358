"""The sheets of a workbook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.ooxml.drawing import texts_of_drawing
from groundkit_index.loaders.ooxml.package import Package, R
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xlsx.cells import CellReader, S, text_of
from groundkit_index.loaders.xlsx.formats import BUILT_IN, GENERAL, Format, format_of
from groundkit_index.loaders.xlsx.grid import Grid, read_grid
from groundkit_index.loaders.xmltree import Element, number, stream


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that is not hidden.

    Attributes:
        boxes: the text of its text boxes, charts and diagrams.
    """

    name: str
    grid: Grid
    boxes: tuple[str, ...] = ()


class Workbook:
    """Reads the sheets one after the other.

    Attributes:
        hidden: code points of hidden sheets, rows, columns and cells.
    """

    def __init__(self, package: Package, limits: Limits) -> None:
        part = package.main()
        root = package.tree(part)
        if root.tag != f"{S}workbook":
            raise DocumentRefusedError("broken", "its main part is no workbook")
        self.hidden = 0
        self._package = package
        self._limits = limits
        self._relations = package.relations(part)
        self._listed = root.findall(f"{S}sheets/{S}sheet")
        self._hidden_sheets = 0
        self._without_value = 0
        about = root.find(f"{S}workbookPr")
        self._reader = CellReader(
            _shared_strings(package, self._part("sharedStrings")),
            _formats(package.tree_of(self._relations, "styles")),
            from_1904=about is not None and about.get("date1904") in {"1", "true"},
        )

    def sheets(self) -> Iterator[Sheet]:
        """Yield the sheets that are not hidden and not empty.

        Raises:
            DocumentRefusedError: one is broken or beyond the limits.
        """
        if len(self._listed) > self._limits.pages:
            raise DocumentRefusedError("over_limit", f"more than {self._limits.pages:,} sheets")
        for one in self._listed:
            relation = self._relations.get(one.get(f"{R}id", ""))
            if (
                relation is None
                or relation.kind != "worksheet"
                or relation.target not in self._package
            ):
                continue
            grid = read_grid(self._package.read(relation.target), self._reader, self._limits)
            self._without_value += grid.without_value
            self.hidden += grid.hidden
            if one.get("state") in {"hidden", "veryHidden"}:
                self._hidden_sheets += 1
                self.hidden += grid.size
                continue
            boxes = tuple(self._boxes(relation.target))
            if grid.rows or boxes:
                yield Sheet(one.get("name", ""), grid, boxes)

    def report(self) -> tuple[str, ...]:
        """Return one line each on what was left out."""
        found = []
        if self._hidden_sheets:
            found.append(f"{self._hidden_sheets} hidden sheets left out")
        if self.hidden:
            found.append(f"{self.hidden} hidden characters left out")
        if self._without_value:
            found.append(f"{self._without_value} formulas without a stored result left out")
        return tuple(found)

    def _part(self, kind: str) -> str:
        return next((one.target for one in self._relations.values() if one.kind == kind), "")

    def _boxes(self, part: str) -> Iterator[str]:
        for relation in self._package.relations(part).values():
            if relation.kind == "drawing" and relation.target in self._package:
                tree = self._package.tree(relation.target)
                relations = self._package.relations(relation.target)
                yield from texts_of_drawing(tree, self._package, relations)


def _shared_strings(package: Package, part: str) -> list[str]:
    if not part or part not in package:
        return []
    return [text_of(one) for one in stream(package.read(part), f"{S}si")]


def _formats(tree: Element | None) -> list[Format]:
    """The formats by the numbers that cells refer to."""
    if tree is None:
        return []
    codes = dict(BUILT_IN)
    for one in tree.iterfind(f"{S}numFmts/{S}numFmt"):
        codes[number(one.get("numFmtId"))] = one.get("formatCode", "")
    used = (number(one.get("numFmtId")) for one in tree.iterfind(f"{S}cellXfs/{S}xf"))
    return [format_of(codes[one]) if one in codes else GENERAL for one in used]
