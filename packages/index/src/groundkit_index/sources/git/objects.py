"""Reads objects of a repository by their ids, loose or packed, within limits.

Every object that is returned has been hashed: it is the one that its id names. Packs and loose
objects are opened only where they are regular files below the repository.
"""

from __future__ import annotations

import stat
import zlib
from pathlib import Path
from typing import Literal, NamedTuple

from dulwich.object_format import ObjectFormat
from dulwich.objects import RawObjectID
from dulwich.pack import Pack

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.paths import read_beneath
from groundkit_index.sources.git.guarding import guarded
from groundkit_index.sources.git.packs import check_chain, packed_size

ObjectType = Literal["commit", "tree", "blob", "tag"]

_TYPES: dict[int, ObjectType] = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_DAMAGED = "the repository is damaged; run `git fsck` there"
_MAX_HEADER = 64
_MAX_LOOSE = 256 * 2**20
_MAX_ALTERNATES = 16
_MAX_ALTERNATES_FILE = 2**16


class GitObject(NamedTuple):
    """An object's type and content."""

    type: ObjectType
    data: bytes


class Objects:
    """The objects of a repository.

    Args:
        common: the repository; object stores that it borrows from outside are left alone.
        object_format: how its objects are named.
        partial: whether objects may have been left out when it was cloned.
    """

    def __init__(self, common: Path, object_format: ObjectFormat, *, partial: bool) -> None:
        self.object_format = object_format
        self._partial = partial
        self._folders, self._borrows = _stores(common)
        self._packs: dict[Path, Pack] = {}
        self._find_packs()

    def close(self) -> None:
        """Close the packs."""
        for pack in self._packs.values():
            pack.close()
        self._packs = {}

    def size(self, oid: str) -> int:
        """Return an object's size in bytes; nothing of a pack is unpacked for it.

        Raises:
            DocumentRefusedError: `missing`, `not_fetched`, `too_large` or `broken`.
        """
        return guarded(lambda: self._size(oid), _DAMAGED)

    def read(self, oid: str, *, max_bytes: int) -> GitObject:
        """Return an object, checked against its id.

        Args:
            oid: the full id, in hex.
            max_bytes: a larger one is refused before it is unpacked.

        Raises:
            DocumentRefusedError: `missing`, `not_fetched`, `too_large`, `over_limit` or `broken`.
        """
        return guarded(lambda: self._read(oid, max_bytes), _DAMAGED)

    def starting_with(self, prefix: str) -> set[str]:
        """Return the ids that begin with at least four hex digits."""
        return guarded(lambda: self._starting_with(prefix), _DAMAGED)

    def _size(self, oid: str) -> int:
        found = self._packed(bytes.fromhex(oid))
        if found is not None:
            return packed_size(*found)
        return _loose_header(self._loose(oid, _MAX_LOOSE))[1]

    def _read(self, oid: str, max_bytes: int) -> GitObject:
        raw = bytes.fromhex(oid)
        found = self._packed(raw)
        if found is None:
            read = _unpack_loose(self._loose(oid, max_bytes), max_bytes)
        else:
            read = _unpack_packed(found, raw, max_bytes)
        self._check(raw, read)
        return read

    def _starting_with(self, prefix: str) -> set[str]:
        raw = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
        found = {
            oid.hex()
            for pack in self._packs.values()
            for oid in pack.index.iter_prefix(raw)
            if oid.hex().startswith(prefix)
        }
        for folder in self._folders:
            place = folder / prefix[:2]
            if place.is_dir() and not place.is_symlink():
                names = (prefix[:2] + path.name for path in place.iterdir())
                found |= {name for name in names if name.startswith(prefix)}
        return {oid for oid in found if len(oid) == self.object_format.hex_length}

    def _packed(self, raw: bytes) -> tuple[Pack, int] | None:
        for path, pack in self._packs.items():
            try:
                offset = pack.index.object_offset(RawObjectID(raw))
            except KeyError:
                continue
            if len(self._packs) > 1:  # neighbours are in one pack
                self._packs = {path: pack} | self._packs
            return pack, offset
        return None

    def _loose(self, oid: str, max_bytes: int) -> bytes:
        limit = max_bytes + max_bytes // 500 + 4096  # what cannot be packed grows a little
        for folder in self._folders:
            try:
                return read_beneath(folder, f"{oid[:2]}/{oid[2:]}", max_bytes=limit)[0]
            except DocumentRefusedError as error:
                if error.reason != "missing":
                    raise
        if self._partial:
            raise DocumentRefusedError("not_fetched", "it was left out when this was cloned")
        if self._borrows:
            raise DocumentRefusedError(
                "missing", "it is borrowed from another repository; run `git repack -a -d`"
            )
        raise DocumentRefusedError("missing", "the repository lacks it; run `git fsck` there")

    def _find_packs(self) -> None:
        for folder in self._folders:
            for path in sorted((folder / "pack").glob("*.pack")):
                base = path.with_suffix("")
                if _is_regular(path) and _is_regular(path.with_suffix(".idx")):
                    self._packs[base] = Pack(str(base), object_format=self.object_format)

    def _check(self, raw: bytes, read: GitObject) -> None:
        hashed = self.object_format.new_hash()
        hashed.update(f"{read.type} {len(read.data)}\0".encode())
        hashed.update(read.data)
        if hashed.digest() != raw:
            raise DocumentRefusedError("broken", "an object is not what its id says")


def _unpack_packed(found: tuple[Pack, int], raw: bytes, max_bytes: int) -> GitObject:
    size = packed_size(*found)
    _check_size(size, max_bytes)
    check_chain(*found)
    kind, data = found[0].get_raw(RawObjectID(raw))
    return GitObject(_TYPES[kind], data)


def _unpack_loose(packed: bytes, max_bytes: int) -> GitObject:
    kind, size, start = _loose_header(packed)
    _check_size(size, max_bytes)
    data = zlib.decompressobj().decompress(packed, start + size + 1)[start:]
    if len(data) != size:
        raise DocumentRefusedError("broken", "an object is not as long as it says")
    return GitObject(kind, data)


def _loose_header(packed: bytes) -> tuple[ObjectType, int, int]:
    head = zlib.decompressobj().decompress(packed, _MAX_HEADER)
    header, _, _ = head.partition(b"\0")
    name, _, size = header.partition(b" ")
    kinds = {kind.encode(): kind for kind in _TYPES.values()}
    return kinds[name], int(size), len(header) + 1


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise DocumentRefusedError("too_large", f"{size} bytes, at most {max_bytes}")


def _stores(common: Path) -> tuple[list[Path], bool]:
    """Return the object stores below a repository, and whether it borrows from others.

    Below it are its own and those of its alternates that lie within it.
    """
    within = common.resolve()
    pending, found, borrows = [common / "objects"], list[Path](), False
    while pending and len(found) < _MAX_ALTERNATES:
        folder = pending.pop()
        if folder.is_symlink() or (folder / "pack").is_symlink() or folder in found:
            continue
        found.append(folder)
        for other in _alternates(folder):
            if within in other.parents:
                pending.append(other)
            else:
                borrows = True
    return found, borrows


def _alternates(folder: Path) -> list[Path]:
    try:
        data, _ = read_beneath(folder, "info/alternates", max_bytes=_MAX_ALTERNATES_FILE)
    except DocumentRefusedError:
        return []
    lines = data.decode("utf-8", "surrogateescape").splitlines()
    return [(folder / line).resolve() for line in lines if line and not line.startswith("#")]


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
