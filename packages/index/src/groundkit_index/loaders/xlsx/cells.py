"""Values of cells as text."""

from __future__ import annotations

import re
from typing import NamedTuple

from groundkit_index.loaders.xlsx.formats import GENERAL, Format, shown
from groundkit_index.loaders.xmltree import Element

S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_T, _R, _V, _F = f"{S}t", f"{S}r", f"{S}v", f"{S}f"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class Cell(NamedTuple):
    """A cell that shows something.

    Attributes:
        column: from 1.
        words: whether it holds text rather than a number, date or truth value.
    """

    column: int
    text: str
    words: bool


def text_of(item: Element) -> str:
    """Return the text of a string item, without its pronunciation."""
    parts = []
    for child in item:
        if child.tag == _T:
            parts.append(child.text or "")
        elif child.tag == _R:
            parts.append(child.findtext(_T) or "")
    return _unescaped("".join(parts))


class CellReader:
    """Reads cells with the shared strings and formats of their workbook.

    Args:
        strings: the shared strings.
        formats: what the style numbers of cells stand for.
        from_1904: whether dates count from 1904.
    """

    def __init__(self, strings: list[str], formats: list[Format], *, from_1904: bool) -> None:
        self._strings = strings
        self._formats = formats
        self._from_1904 = from_1904

    def read(self, cell: Element) -> tuple[str, bool]:
        """Return what a cell shows, and whether that is words."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            item = cell.find(f"{S}is")
            return (text_of(item), True) if item is not None else ("", True)
        value = None
        for child in cell:
            if child.tag == _V:
                value = child.text
                break
        if not value:
            return "", False
        if kind == "s":
            return self._string(value), True
        if kind == "n":
            return self._number(value, cell.get("s"))
        if kind == "b":
            return ("TRUE" if value.strip() in {"1", "true"} else "FALSE"), False
        if kind == "d":
            return value.strip().replace("T00:00:00", ""), False
        return _unescaped(value), kind == "str"

    def lacks_value(self, cell: Element) -> bool:
        """Tell whether a cell has a formula whose result is not stored."""
        return cell.find(_F) is not None and cell.find(_V) is None

    def _string(self, value: str) -> str:
        try:
            number = int(value)
        except ValueError:
            return ""
        return self._strings[number] if 0 <= number < len(self._strings) else ""

    def _number(self, value: str, style: str | None) -> tuple[str, bool]:
        try:
            form = self._formats[int(style)] if style else GENERAL
        except (ValueError, IndexError):
            form = GENERAL
        try:
            return shown(float(value), form, from_1904=self._from_1904), False
        except (ValueError, OverflowError):
            return value.strip(), True


def _unescaped(text: str) -> str:
    if "_x" in text:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    return text.replace("\xad", "")
