"""Builds an extracted text piece by piece; every loader writes through it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from groundkit_core.structure.model import Extraction, Piece, Place, Where

MAX_NAME_CHARS = 200
LONGEST_ROW = 1_000
"""A table row above this many code points is written one cell a line."""

# C0 and C1 controls but tab and newline, and lone surrogates: nothing that a reader sees.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_BLANKS = re.compile(r"[^\S\n]+")
_AROUND_NEWLINE = re.compile(r" ?\n ?")
_MANY_NEWLINES = re.compile(r"\n{3,}")


def visible(text: str) -> str:
    """Return text with unified newlines and without characters that no reader sees."""
    if text.isprintable():
        return text
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def flowing(text: str) -> str:
    """Return running text with single spaces; its newlines stay, at most two in a row."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    found = _AROUND_NEWLINE.sub("\n", _BLANKS.sub(" ", visible(text)))
    return _MANY_NEWLINES.sub("\n\n", found).strip()


class TextBuilder:
    """Collects pieces of a document in reading order.

    What is empty is left out. Marks are those of Markdown, because people and models read them:
    `#` before headings, `-` before items, fences around code, `|` between cells.

    Attributes:
        length: code points so far; the next piece starts at `length` or two later.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._pieces: list[Piece] = []
        self._places: list[Place] = []
        self._pending: Place | None = None
        self._breaks = False
        self._closes = False
        self.length = 0

    def place(
        self,
        *,
        page: int | None = None,
        label: str = "",
        fragment: str = "",
        breaks: bool = True,
        closes: bool = False,
    ) -> None:
        """Let what follows stand at a page, slide, sheet, cell or time.

        Args:
            page: from 1.
            label: for people.
            fragment: what follows `#` in a link.
            breaks: let no chunk reach from before it to after it.
            closes: let no heading from before it be above what follows.
        """
        self._pending = Place(0, page, label, fragment)
        self._breaks = self._breaks or breaks
        self._closes = self._closes or closes

    def heading(self, text: str, level: int) -> int:
        """Add a heading of level 1 to 6, and return where its text starts; -1 for none."""
        name = " ".join(visible(text).split())
        mark = "#" * min(max(level, 1), 6)
        piece = Piece(0, min(max(level, 1), 6), name[:MAX_NAME_CHARS], lines=False, leads=True)
        at = self._add(f"{mark} {name}", piece) if name else -1
        return at + len(mark) + 1 if at >= 0 else -1

    def paragraph(self, text: str, *, depth: int = 0, leads: bool = False) -> int:
        """Add running text, and return where it starts; -1 for none."""
        found = flowing(text)
        leads = leads or found.endswith((":", "："))
        return self._add(found, Piece(0, depth=depth, leads=leads)) if found else -1

    def item(self, text: str, *, depth: int = 1, mark: str = "-") -> int:
        """Add an item of a list that is nested `depth` deep; return where its text starts."""
        found = flowing(text)
        if not found:
            return -1
        indent = "  " * (depth - 1)
        lead = f"{indent}{mark} "
        body = found.replace("\n", f"\n{' ' * len(lead)}")
        at = self._add(f"{lead}{body}", Piece(0, depth=depth), gap=self._gap_before_item())
        return at + len(lead)

    def code(self, text: str, language: str = "", *, leads: bool = False) -> int:
        """Add preformatted text in a fence that it cannot close; return where its text starts."""
        found = visible(text).strip("\n").rstrip()
        if not found.strip():
            return -1
        fence = _fence(found)
        head = f"{fence}{language}\n"
        at = self._add(f"{head}{found}\n{fence}", Piece(0, lines=True, leads=leads))
        return at + len(head)

    def lines(self, text: str, *, header: str = "") -> int:
        """Add text that splits between lines, as it is; return where it starts."""
        found = visible(text).strip("\n").rstrip()
        return self._add(found, Piece(0, lines=True, header=header)) if found.strip() else -1

    def table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        header: bool = True,
        on_row: Callable[[int, int], None] | None = None,
    ) -> int:
        """Add a table, one row a line; return where it starts, -1 for none.

        Args:
            rows: cells as text; newlines in a cell become spaces.
            header: whether the first row names the columns.
            on_row: told the number of each row, from 0, and where it starts.
        """
        cells = [[_cell(cell) for cell in row] for row in rows]
        kept = [(number, row) for number, row in enumerate(cells) if any(row)]
        if not kept:
            return -1
        names = kept[0][1] if header and len(kept) > 1 else []
        start, at, written = self._next_start(), 0, []
        for number, row in kept:
            line = _row(row, [] if number == kept[0][0] else names)
            if on_row is not None:
                on_row(number, start + at)
            written.append(line)
            at += len(line) + 1
            if names and number == kept[0][0]:
                rule = "|" + " --- |" * len(row)
                written.append(rule)
                at += len(rule) + 1
        named = " | ".join(filter(None, names))[:MAX_NAME_CHARS]
        return self._add("\n".join(written), Piece(0, lines=True, header=named))

    def result(
        self,
        title: str = "",
        *,
        where: Callable[[int, int], Where] | None = None,
        hidden: int = 0,
        notes: tuple[str, ...] = (),
    ) -> Extraction:
        """Return what was built."""
        return Extraction(
            "".join(self._parts),
            tuple(self._pieces),
            " ".join(visible(title).split())[:MAX_NAME_CHARS],
            tuple(self._places),
            where,
            hidden,
            notes,
        )

    def _gap_before_item(self) -> str:
        return "\n" if self._pieces and self._pieces[-1].depth else "\n\n"

    def _next_start(self) -> int:
        return self.length + (2 if self._pieces else 0)

    def _add(self, text: str, piece: Piece, gap: str = "\n\n") -> int:
        if self._pieces:
            self._parts.append(gap)
            self.length += len(gap)
        start = self.length
        if self._pending is not None:
            self._places.append(self._pending._replace(start=start))
            self._pending = None
        breaks = self._breaks and start > 0
        self._pieces.append(piece._replace(start=start, breaks=breaks, closes=self._closes))
        self._breaks = self._closes = False
        self._parts.append(text)
        self.length += len(text)
        return start


def _cell(text: str) -> str:
    return " ".join(visible(text).split()).replace("|", "\\|")


def _row(cells: Sequence[str], names: Sequence[str]) -> str:
    line = f"| {' | '.join(cells)} |"
    if len(line) <= LONGEST_ROW:
        return line
    named = [*names, *[""] * (len(cells) - len(names))]
    pairs = zip(named, cells, strict=False)
    return "\n".join(f"- {name}: {cell}" if name else f"- {cell}" for name, cell in pairs if cell)


def _fence(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    return "`" * (longest + 1)
