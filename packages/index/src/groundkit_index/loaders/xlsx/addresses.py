"""Names of cells and ranges, such as `Prices!A2:D20`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_PLAIN_NAME = re.compile(r"[^\W\d]\w*")
_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*[Cc][0-9]*")


class Area(NamedTuple):
    """A rectangle of cells; rows and columns count from 1, the last ones belong to it."""

    top: int
    left: int
    bottom: int
    right: int


def cell_of(name: str) -> tuple[int, int] | None:
    """Return row and column of a cell; None for what is no name of one."""
    match = _CELL.fullmatch(name)
    if match is None:
        return None
    row, column = int(match[2]), column_number(match[1])
    return (row, column) if 0 < row <= LAST_ROW and column else None


@lru_cache(maxsize=2048)
def column_number(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for AA; 0 for what is no name of one."""
    if len(letters) > 3 or not (letters.isascii() and letters.isalpha()):
        return 0
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return column if column <= LAST_COLUMN else 0


def area_of(name: str) -> Area | None:
    """Return the cells of a range such as `A1:B2`."""
    first, _, last = name.partition(":")
    start, end = cell_of(first), cell_of(last or first)
    return Area(*start, *end) if start is not None and end is not None else None


def column_name(column: int) -> str:
    """Return the letters of a column: A for 1, AA for 27."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def label(sheet: str, area: Area | None = None) -> str:
    """Return how spreadsheets call a range; the sheet's name alone without one."""
    plain = _PLAIN_NAME.fullmatch(sheet) and not _LIKE_CELL.fullmatch(sheet)
    name = sheet if plain else "'" + sheet.replace("'", "''") + "'"
    if area is None:
        return name
    first = f"{column_name(area.left)}{area.top}"
    last = f"{column_name(area.right)}{area.bottom}"
    return f"{name}!{first}" if first == last else f"{name}!{first}:{last}"


def fragment(called: str) -> str:
    """Return a label as it stands after `#` in a link."""
    return quote(called, safe="!':,()")
