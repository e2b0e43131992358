"""Writes the blocks of a Word document."""

from __future__ import annotations

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.docx.blocks import Block, Note, Paragraph, Table, flat
from groundkit_index.loaders.docx.numbering import BULLET
from groundkit_index.loaders.ooxml.tables import write_table
from groundkit_index.loaders.protocol import Limits

_LONGEST_CELL = 1_000
"""A table with a cell above this many code points is there for the looks."""


class Writer:
    """Writes blocks in order; the notes of a section are written at its end.

    Attributes:
        title: the first paragraph that is styled as title.
        notes: those not yet written.
    """

    def __init__(self, limits: Limits) -> None:
        self.builder = TextBuilder()
        self.title = ""
        self.notes: list[Note] = []
        self._limits = limits
        self._code: list[str] = []

    def write(self, block: Block) -> None:
        """Write one block.

        Raises:
            DocumentRefusedError: the text is beyond the limits.
        """
        if self.builder.length > self._limits.characters:
            limit = f"more than {self._limits.characters:,} characters"
            raise DocumentRefusedError("over_limit", limit)
        if isinstance(block, Paragraph) and block.code and not block.level:
            self._code.append(block.text)
            self._write_all(block.boxes)
            return
        self._write_code()
        if isinstance(block, Table):
            self._write_table(block)
        else:
            self._write_paragraph(block)
            self._write_all(block.boxes)

    def finish(self) -> None:
        """Write what is left."""
        self._write_code()
        self._write_notes()

    def _write_all(self, blocks: list[Block]) -> None:
        for block in blocks:
            self.write(block)

    def _write_paragraph(self, block: Paragraph) -> None:
        if block.level and block.text.strip():
            self._write_notes()
            mark = "" if block.mark == BULLET else block.mark
            self.builder.heading(f"{mark} {block.text}", block.level)
            if block.title and not self.title:
                self.title = block.text
        elif block.depth:
            self.builder.item(block.text, depth=block.depth, mark=block.mark or BULLET)
        else:
            self.builder.paragraph(block.text)

    def _write_table(self, table: Table) -> None:
        rows = [[flat(cell) for cell in row] for row in table.rows]
        full = [cell for row in rows for cell in row if cell]
        if len(full) == 1 or any(len(cell) > _LONGEST_CELL for cell in full):
            for row in table.rows:
                for cell in row:
                    self._write_all(cell)
        else:
            write_table(self.builder, rows, header=table.header)

    def _write_code(self) -> None:
        if self._code:
            self.builder.code("\n".join(self._code))
            self._code = []

    def _write_notes(self) -> None:
        for note in self.notes:
            if note.text:
                self.builder.paragraph(f"{note.mark}: {note.text}")
        self.notes = []
