"""Tables of separated values to chunks along their records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText, ChunkSpan

MAX_HEADER_CHARS = 200
SAMPLE_RECORDS = 50
"""So many records are looked at for the delimiter and the header."""

DELIMITERS = (",", ";", "\t", "|")
LONGEST_NAME = 80
"""What is longer names no column."""

_NUMBER = re.compile(r"[\s$€£(+-]*\d[\d\s.,:/eE%)+-]*$")


def chunk_csv(text: str, limits: Limits) -> ChunkedText:
    """Chunks a table between records; quoted cells may hold line ends.

    The chunks behind the first have the names of the columns as their heading path, where
    the table has a header.

    Args:
        text: with unified newlines; the delimiter is one of `DELIMITERS`.
        limits: sizes in code points.
    """
    delimiter = _delimiter(text)
    blocks = [Block(start, lines=True) for start, end in _records(text, delimiter)]
    if not blocks:
        return ChunkedText("", ())
    spans = gather(text, [Section((), blocks, len(text))], limits)
    names, start = _header(text, delimiter)
    if not names:
        return ChunkedText("", spans)
    return ChunkedText("", tuple(_under(span, names, start) for span in spans))


def _under(span: ChunkSpan, names: str, start: int) -> ChunkSpan:
    return ChunkSpan(span.start, span.end, (names,)) if span.start > start else span


@cache
def _patterns(delimiter: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A field, and a record with its line end; a quote that is never closed is text."""
    other = rf"[^\n{re.escape(delimiter)}]*+"
    field = rf'(?:"[^"]*+(?:""[^"]*+)*+"{other}|{other})'
    return re.compile(field), re.compile(rf"{field}(?:{re.escape(delimiter)}{field})*+\n?")


def _records(text: str, delimiter: str) -> Iterator[tuple[int, int]]:
    """Where each record starts and ends that is not blank."""
    for found in _patterns(delimiter)[1].finditer(text):
        record = found.group()
        if record and not record.isspace():
            yield found.span()


def _cells(text: str, start: int, end: int, delimiter: str) -> list[str]:
    field = _patterns(delimiter)[0]
    cells, at = [], start
    while at <= end:
        found = field.match(text, at, end)
        if found is None:
            break
        cells.append(_bare(found.group()))
        at = found.end() + 1
        if not text.startswith(delimiter, found.end()):
            break
    return cells


def _bare(cell: str) -> str:
    cell = cell.strip()
    if cell.startswith('"') and cell.endswith('"') and len(cell) > 1:
        cell = cell[1:-1].replace('""', '"')
    return " ".join(cell.split())


def _sample(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """The first records: where each starts, and its cells."""
    sample = []
    for start, end in _records(text, delimiter):
        sample.append((start, _cells(text, start, end, delimiter)))
        if len(sample) == SAMPLE_RECORDS:
            break
    return sample


def _delimiter(text: str) -> str:
    """The delimiter that gives the most records the same number of cells, above one."""
    best, highest = DELIMITERS[0], (0.0, 0)
    for delimiter in DELIMITERS:
        sample = _sample(text, delimiter)
        width, count = _usual_width(cells for _, cells in sample)
        score = (round(count / len(sample), 1), width) if width > 1 else (0.0, 0)
        if score > highest:
            best, highest = delimiter, score
    return best


def _usual_width(rows: Iterator[Sequence[str]]) -> tuple[int, int]:
    widths = Counter(map(len, rows)).most_common(1)
    return widths[0] if widths else (0, 0)


def _header(text: str, delimiter: str) -> tuple[str, int]:
    """The names of the columns on one line, or "", and where their record starts."""
    sample = _sample(text, delimiter)
    width, _ = _usual_width(cells for _, cells in sample)
    if width < 2:
        return "", 0
    # A header may lack the name of the first column, and rows may lack their last cells.
    wide = [(start, cells) for start, cells in sample if len(cells) >= max(width - 1, 2)]
    if len(wide) < 2 or not _names_columns(wide[0][1], [cells for _, cells in wide[1:]]):
        return "", 0
    start, cells = wide[0]
    return _joined(cells), start


def _joined(cells: Sequence[str]) -> str:
    names = " | ".join(filter(None, cells))
    if len(names) <= MAX_HEADER_CHARS:
        return names
    return names[:MAX_HEADER_CHARS].rpartition(" | ")[0] or names[:MAX_HEADER_CHARS].strip()


def _names_columns(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a record names the columns of those below it."""
    named = [cell for cell in first if cell]
    if len(named) * 2 < len(first) or len(set(named)) < len(named) or not named:
        return False
    if any(_NUMBER.match(cell) for cell in named if not _is_year(cell)):
        return False
    if any(len(cell) > LONGEST_NAME for cell in named):
        return False
    return not any(
        cell and cell == other for row in below for cell, other in zip(first, row, strict=False)
    )


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and cell.isdigit() and "1000" < cell < "2200"
