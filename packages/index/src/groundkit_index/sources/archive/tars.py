"""Members of TAR files, read from their beginning to their end.

`tarfile` keeps all headers, takes any length for the ones that precede a member, and seeks; so
only its parser of one header block is used.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits
from groundkit_index.sources.archive.budget import refusing
from groundkit_index.sources.archive.formats import Format
from groundkit_index.sources.archive.member import Member, named, refuse, twins
from groundkit_index.sources.archive.unpacking import Unpacked

_BLOCK = 512
_MAX_EXTENDED = 2**20
_LONG_NAME, _LONG_LINK = b"L", b"K"
_PAX, _PAX_SOLARIS, _PAX_GLOBAL = b"x", b"X", b"g"
_SPARSE, _SPARSE_PAX = b"S", b"sparse"
_IS_EXTENDED, _MORE_SPARSE = 482, 504
_HAS_NO_DATA = frozenset(
    {tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.DIRTYPE}
    | {tarfile.FIFOTYPE}
)
_FILES = frozenset({tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE})
_REASONS = {tarfile.LNKTYPE: "hard_link", tarfile.SYMTYPE: "symlink"}


@dataclass(frozen=True, slots=True)
class _Header:
    """One member: its name and type, and the bytes that follow."""

    name: str
    kind: bytes
    size: int


class TarMembers:
    """A TAR file, packed or not; see `open_archive` for the arguments."""

    def __init__(self, file: BinaryIO, kind: Format, limits: Limits, max_bytes: int) -> None:
        self._file = file
        self._kind = kind
        self._limits = limits
        self._max_bytes = max_bytes
        self._places: list[Member | None] = []
        listed: list[Member] = []
        with refusing():
            stream = Unpacked(file, kind, limits)
            for header in _headers(stream, limits.members):
                member = self._member(header)
                self._places.append(member)
                if member is not None:
                    listed.append(member)
                stream.skip(_padded(header.size))
            stream.drain()
        for places in twins(listed):  # a later member replaces an earlier one
            refuse(listed, places[:-1], "duplicate")
        self.members = tuple(listed)
        found = iter(self.members)
        self._places = [place and next(found) for place in self._places]

    def contents(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | str]]:
        """Yield wanted members with their bytes."""
        stream = Unpacked(self._file, self._kind, self._limits)
        last = self._last(wanted)
        with refusing():
            for number, header in enumerate(_headers(stream, self._limits.members)):
                if number > last:
                    return
                member = self._places[number]
                if member is None or member.reason is not None or not wanted(member):
                    stream.skip(_padded(header.size))
                    continue
                data = stream.read(header.size)
                stream.skip(_padded(header.size) - header.size)
                yield member, data if len(data) == member.size else "broken"

    def _last(self, wanted: Callable[[Member], bool]) -> int:
        chosen = (
            number
            for number, member in enumerate(self._places)
            if member is not None and member.reason is None and wanted(member)
        )
        return max(chosen, default=-1)

    def _member(self, header: _Header) -> Member | None:
        if header.kind == tarfile.DIRTYPE:
            return None
        reason = None
        if header.kind not in _FILES:
            reason = _REASONS.get(header.kind, "not_regular")
        elif header.size > self._max_bytes:
            reason = "too_large"
        return named(header.name, header.size, reason)


def _headers(stream: Unpacked, most: int) -> Iterator[_Header]:
    """Yield the headers of members; the caller passes over what follows each.

    Raises:
        DocumentRefusedError: `broken` or `over_limit`.
    """
    for _ in range(most):
        header = _next_header(stream)
        if header is None:
            return
        yield header
    if _next_header(stream) is not None:
        raise DocumentRefusedError("over_limit", f"more than {most:,} members")


def _next_header(stream: Unpacked) -> _Header | None:
    """Return the next member's header with what extended headers say of it; None at the end."""
    name, size, is_sparse = None, None, False
    for _ in range(8):
        block = stream.read(_BLOCK)
        if not block and stream.is_checked:
            return None  # the end marks are missing, but a checksum has vouched for the rest
        if len(block) < _BLOCK:
            raise DocumentRefusedError("broken", "the archive is truncated")
        if not any(block):
            return None
        found = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        if found.size < 0:
            break
        if found.type == _LONG_NAME:
            name = _text(_extended(stream, found.size).split(b"\0")[0])
        elif found.type == _LONG_LINK:
            stream.skip(_padded(found.size))
        elif found.type in (_PAX, _PAX_SOLARIS):
            pax = _records(_extended(stream, found.size))
            name = _text(pax["path"]) if "path" in pax else name
            size = int(pax["size"]) if "size" in pax else size
            is_sparse = is_sparse or any(key.startswith("GNU.sparse") for key in pax)
        elif found.type == _PAX_GLOBAL:
            if {"path", "size"} & _records(_extended(stream, found.size)).keys():
                break
        else:
            found.type = _SPARSE_PAX if is_sparse and found.type in _FILES else found.type
            return _member_header(stream, block, found, name, size)
    raise DocumentRefusedError("broken", "a header of the archive is malformed")


def _member_header(
    stream: Unpacked, block: bytes, found: tarfile.TarInfo, name: str | None, size: int | None
) -> _Header:
    kind = found.type
    if kind == tarfile.AREGTYPE and (name or found.name).endswith("/"):
        kind = tarfile.DIRTYPE
    if kind == _SPARSE and block[_IS_EXTENDED]:
        while stream.read(_BLOCK)[_MORE_SPARSE : _MORE_SPARSE + 1] not in (b"\0", b""):
            pass
    length = 0 if kind in _HAS_NO_DATA else found.size if size is None else size
    if length < 0:
        raise DocumentRefusedError("broken", "a header of the archive is malformed")
    return _Header(found.name if name is None else name, kind, length)


def _extended(stream: Unpacked, size: int) -> bytes:
    if size > _MAX_EXTENDED:
        raise DocumentRefusedError("over_limit", "a header of the archive is far too long")
    data = stream.read(_padded(size))
    if len(data) < size:
        raise DocumentRefusedError("broken", "the archive is truncated")
    return data[:size]


def _records(data: bytes) -> dict[str, bytes]:
    """Return the records `LENGTH KEY=VALUE` of a pax header."""
    records, at = {}, 0
    while at < len(data) and data[at]:
        space = data.index(b" ", at, at + 10)
        length = int(data[at:space])
        key, equals, value = data[space + 1 : at + length - 1].partition(b"=")
        if length <= space - at + 1 or at + length > len(data) or not equals:
            raise DocumentRefusedError("broken", "a header of the archive is malformed")
        records[_text(key)] = value
        at += length
    return records


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
