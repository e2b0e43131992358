"""Lines and blocks of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True)
class Line:
    """A line as PDFium reads it; edges are points from the top left corner of the shown page.

    Attributes:
        page: from 0.
        text: cleaned; ends with `cleaning.HYPHEN` where a word may go on in the next line.
        first: its first character in PDFium's text of the page.
        count: how many characters of PDFium's text it takes.
        base: where its characters stand, from the top of the page.
        size: of its font, in points.
        bold: whether all of it is bold.
        mono: whether all of it is in a font of even width.
        margin: the right edge of the column it stands in.
    """

    page: int
    text: str
    first: int
    count: int
    left: float
    top: float
    right: float
    bottom: float
    base: float
    size: float
    bold: bool
    mono: bool
    margin: float = 0.0


@dataclass(slots=True)
class Page:
    """What was read of a page.

    Attributes:
        number: from 0.
        hidden: characters that were left out because they cannot be seen.
        images: whether it has no text but images.
    """

    number: int
    width: float
    height: float
    lines: list[Line]
    hidden: int = 0
    images: bool = False


BlockKind = Literal["heading", "paragraph", "item", "code", "lines"]


@dataclass(slots=True)
class Block:
    """Lines that belong together.

    Attributes:
        level: of a heading, from 1.
        leads: whether it is a term that the next block explains.
    """

    kind: BlockKind
    lines: list[Line] = field(default_factory=list)
    level: int = 0
    leads: bool = False
