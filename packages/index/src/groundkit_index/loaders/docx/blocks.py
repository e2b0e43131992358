"""What the body of a Word document is made of, before it is written out."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Paragraph:
    """A paragraph as it is read.

    Attributes:
        level: 1 to 6 for a heading, else 0.
        depth: how deep in lists, from 1; 0 outside.
        mark: what stands before it, such as `-`, `2.` or `A.1`; may be empty.
        code: whether its blanks count.
        title: whether it is the document's title.
        boxes: what text boxes that hang on it hold.
    """

    text: str
    level: int = 0
    depth: int = 0
    mark: str = ""
    code: bool = False
    title: bool = False
    boxes: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table; the columns that a cell spans beyond its first are empty cells.

    Attributes:
        rows: cells, each a list of blocks.
        header: whether the first row names the columns.
    """

    rows: list[list[list[Block]]]
    header: bool


Block = Paragraph | Table


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote or endnote.

    Attributes:
        mark: what stands in the text, such as `[^1]`.
    """

    mark: str
    text: str


def flat(blocks: list[Block]) -> str:
    """Return the text of blocks, one a line."""
    return "\n".join(filter(None, (_flat(block) for block in blocks)))


def _flat(block: Block) -> str:
    if isinstance(block, Table):
        rows = (", ".join(filter(None, map(flat, row))) for row in block.rows)
        return "\n".join(filter(None, rows))
    own = f"{block.mark} {block.text}" if block.mark and block.text else block.text
    return "\n".join(filter(None, (own, flat(block.boxes))))
