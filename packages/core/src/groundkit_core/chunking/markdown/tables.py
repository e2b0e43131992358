"""Recognising a GFM table by its first two rows."""

from __future__ import annotations

from groundkit_core.chunking.markdown import patterns


def is_table_start(header: str, delimiter: str) -> bool:
    """Whether a line and the one below it are the header and delimiter row of a table."""
    if "|" not in header or not patterns.DELIMITER_ROW.match(delimiter):
        return False
    if delimiter.startswith("- "):
        return False
    columns = _cells(delimiter)
    return _are_delimiters(columns) and len(columns) == len(_header_cells(header))


def _cells(row: str) -> list[str]:
    return row.strip().removeprefix("|").removesuffix("|").split("|")


def _are_delimiters(columns: list[str]) -> bool:
    return all(patterns.DELIMITER_CELL.match(column.strip()) for column in columns)


def _header_cells(row: str) -> list[str]:
    cells = patterns.UNESCAPED_PIPE.split(row.strip())
    if cells and not cells[0]:
        cells = cells[1:]
    if cells and not cells[-1]:
        cells = cells[:-1]
    return cells
