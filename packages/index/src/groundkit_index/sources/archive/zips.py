"""Members of ZIP files."""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Callable, Iterator
from typing import BinaryIO

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits
from groundkit_index.sources.archive.budget import Clock, refusing
from groundkit_index.sources.archive.member import Member, named, refuse, twins

_PIECE = 2**20
_SMALL = 2**20
"""Members up to this size may have any ratio: a page of blanks packs a thousandfold."""

_END, _END64 = b"PK\x05\x06", b"PK\x06\x06"
_LOCATOR64 = b"PK\x06\x07"
_ENTRY = b"PK\x01\x02"
_END_SIZE, _LOCATOR_SIZE, _ENTRY_SIZE, _LOCAL_SIZE = 22, 20, 46, 30
_MAX_COMMENT = 65_535

_ENCRYPTED, _STRONGLY, _MASKED, _UTF8 = 0x1, 0x40, 0x2000, 0x800
_METHODS = frozenset(
    {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}
)


class ZipMembers:
    """A ZIP file; see `open_archive` for the arguments."""

    def __init__(self, file: BinaryIO, limits: Limits, max_bytes: int) -> None:
        self._limits = limits
        self._max_bytes = max_bytes
        with refusing():
            _check_count(_directory(file), limits.members)
            self._zip = zipfile.ZipFile(file)
            infos = self._zip.infolist()
            _check_overlap(infos, self._zip.start_dir)
        files = [info for info in infos if not info.orig_filename.endswith("/")]
        members = [self._member(info) for info in files]
        _refuse_twins(members, files)
        self.members = tuple(members)
        self._infos = {
            member.name: info
            for member, info in zip(members, files, strict=True)
            if member.reason is None
        }

    def contents(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | str]]:
        """Yield wanted members with their bytes, or with the reason why there are none."""
        members = [one for one in self.members if one.reason is None and wanted(one)]
        if sum(one.size for one in members) > self._limits.unpacked_bytes:
            raise DocumentRefusedError("over_limit", "it unpacks to far more than it should")
        clock = Clock(self._limits.seconds)
        for member in members:
            yield member, self._read(self._infos[member.name], clock)

    def _read(self, info: zipfile.ZipInfo, clock: Clock) -> bytes | str:
        try:
            with refusing(), self._zip.open(info) as member:
                pieces = []
                while piece := member.read(_PIECE):
                    clock.check()
                    pieces.append(piece)
                data = b"".join(pieces)
        except DocumentRefusedError as error:
            if error.reason == "over_limit":
                raise
            return error.reason
        return data if len(data) == info.file_size else "broken"

    def _member(self, info: zipfile.ZipInfo) -> Member:
        return named(_name(info), info.file_size, self._reason(info))

    def _reason(self, info: zipfile.ZipInfo) -> str | None:
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            return "symlink" if kind == stat.S_IFLNK else "not_regular"
        if info.flag_bits & (_ENCRYPTED | _STRONGLY | _MASKED):
            return "encrypted"
        if info.compress_type not in _METHODS:
            return "unsupported_compression"
        if info.file_size > self._max_bytes:
            return "too_large"
        limit = self._limits.ratio * max(info.compress_size, 1)
        return "over_limit" if info.file_size > max(limit, _SMALL) else None


def _name(info: zipfile.ZipInfo) -> str:
    """Return the name: UTF-8 where it is valid, else code page 437 as the standard has it."""
    if info.flag_bits & _UTF8:
        return info.orig_filename
    try:
        return info.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.orig_filename


def _refuse_twins(members: list[Member], infos: list[zipfile.ZipInfo]) -> None:
    """Take the first of members that share name and content, none of those that only share a name.

    Programs differ in which one of several they take.
    """
    for places in twins(members):
        contents = {(infos[number].CRC, infos[number].file_size) for number in places}
        refuse(members, places[1:] if len(contents) == 1 else places, "duplicate")


def _check_overlap(infos: list[zipfile.ZipInfo], end: int) -> None:
    """Refuse members that share their bytes: that is how few bytes unpack to very many."""
    for info in sorted(infos, key=lambda info: info.header_offset, reverse=True):
        if info.header_offset + _LOCAL_SIZE + len(info.filename) + info.compress_size > end:
            raise DocumentRefusedError("broken", "members of it overlap")
        end = info.header_offset


def _check_count(directory: bytes, most: int) -> None:
    """Count the entries of the directory before objects are made of them."""
    at, count = 0, 0
    while directory[at : at + 4] == _ENTRY and at + _ENTRY_SIZE <= len(directory):
        at += _ENTRY_SIZE + sum(struct.unpack_from("<3H", directory, at + 28))
        count += 1
        if count > most:
            raise DocumentRefusedError("over_limit", f"more than {most:,} members")


def _directory(file: BinaryIO) -> bytes:
    """Return the central directory, from the end of the file."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_SIZE - _MAX_COMMENT))
    start, tail = file.tell(), file.read()
    bare = len(tail) - _END_SIZE  # without a comment, as `zipfile` looks first
    at = bare if tail[bare : bare + 4] == _END and tail.endswith(b"\0\0") else tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        raise DocumentRefusedError("broken", "the archive is truncated")
    length: int = struct.unpack_from("<I", tail, at + 12)[0]
    end = start + at
    locator = tail[max(0, at - _LOCATOR_SIZE) : at]
    if locator.startswith(_LOCATOR64):
        file.seek(max(0, end - _LOCATOR_SIZE - 56))
        end64 = file.read(56)
        if end64.startswith(_END64):
            length = struct.unpack_from("<Q", end64, 40)[0]
            end -= _LOCATOR_SIZE + 56
    if length > end:
        raise DocumentRefusedError("broken", "the archive is truncated")
    file.seek(end - length)
    return file.read(length)
