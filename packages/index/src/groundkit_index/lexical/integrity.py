"""Checks the files and keys of a lexical index."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import tantivy

from groundkit_core.errors import CorruptIndexError
from groundkit_index.lexical import schema
from groundkit_index.lexical.engine import ReadableFolder, engine_errors, open_index

_WINDOW = 20_000
_BLOCK = 2**20
_TAIL = 8


def damaged_files(folder: Path) -> Iterator[str]:
    """Yield the names of segment files whose bytes are not those that were written.

    tantivy ends each file with a JSON footer that holds the CRC-32 of what is before it, the
    footer's length and a magic number, both 32-bit little-endian.
    """
    segments = _segments(folder)
    for path in sorted(folder.iterdir()):
        if path.name.split(".")[0] in segments and not _intact_or_gone(path):
            yield path.name


def _intact_or_gone(path: Path) -> bool:
    """Return false for a damaged file; one that a merge dropped meanwhile is no fault."""
    try:
        return _intact(path)
    except FileNotFoundError:
        return True


def _segments(folder: Path) -> set[str]:
    """Return the names of the segments that are in use; others are left-overs of a crash."""
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        return {str(segment["segment_id"]).replace("-", "") for segment in meta["segments"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise CorruptIndexError("the list of segments cannot be read") from None


def _intact(path: Path) -> bool:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size < _TAIL:
            return False
        file.seek(size - _TAIL)
        length = int.from_bytes(file.read(4), "little")
        body = size - _TAIL - length
        if body < 0:
            return False
        file.seek(body)
        try:
            expected = json.loads(file.read(length))["crc"]
        except (ValueError, KeyError, TypeError):
            return False
        file.seek(0)
        return bool(_crc(file, body) == expected)


def _crc(file: BinaryIO, length: int) -> int:
    state = 0
    while length > 0:
        block = file.read(min(_BLOCK, length))
        state, length = zlib.crc32(block, state), length - len(block)
    return state


def keys(folder: Path, last: int) -> set[int]:
    """Return the chunk keys up to `last` that the index holds, and those beyond it."""
    readable = ReadableFolder(folder)
    try:
        index = open_index(readable.path)
        with engine_errors():
            searcher, fields = index.searcher(), index.schema
            found: set[int] = set()
            for low in range(0, last + 1, _WINDOW):
                found |= _between(searcher, fields, low, low + _WINDOW)
            return found | _between(searcher, fields, last + 1, 2**62)
    finally:
        readable.close()


def _between(searcher: tantivy.Searcher, fields: tantivy.Schema, low: int, high: int) -> set[int]:
    query = tantivy.Query.range_query(
        fields, schema.KEY, tantivy.FieldType.Unsigned, low, high, include_upper=False
    )
    hits = searcher.search(query, _WINDOW, count=False).hits
    values = searcher.fast_field_values(schema.KEY, [address for _, address in hits])
    return {int(value) for value in values if value is not None}
