"""Checks a received pack object by object before it is indexed."""

from __future__ import annotations

import hashlib
import mmap
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from dulwich.object_format import SHA1
from dulwich.pack import PackData

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.sources.git.guarding import guarded
from groundkit_index.sources.git.packs import OFS_DELTA, REF_DELTA, delta_sizes, object_header

if TYPE_CHECKING:
    from groundkit_index.sources.git.fetch import FetchLimits

_HEADER, _TRAILER = 12, 20
_PIECE = 2**16
_DAMAGED = "the pack is damaged"


def store_pack(incoming: Path, packs: Path, limits: FetchLimits, deadline: float) -> None:
    """Index a pack and name it as git does.

    Args:
        incoming: the pack as it was received.
        packs: the folder to put it into.
        limits: what it may hold.
        deadline: when to give up, in seconds of `time.monotonic`.

    Raises:
        DocumentRefusedError: `broken` or `over_limit`.
    """
    with incoming.open("rb") as file:
        checksum = guarded(lambda: _checked(file, limits, deadline), _DAMAGED)
    with guarded(lambda: PackData(incoming, SHA1), _DAMAGED) as data:
        guarded(lambda: data.create_index_v2(str(packs / f"pack-{checksum}.idx")), _DAMAGED)
    incoming.rename(packs / f"pack-{checksum}.pack")


def _checked(file: BinaryIO, limits: FetchLimits, deadline: float) -> str:
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pack:
        _check(pack, limits, deadline)
        return pack[-_TRAILER:].hex()


def _check(pack: mmap.mmap, limits: FetchLimits, deadline: float) -> None:
    """Unpack every object once, keeping nothing, so that its sizes are known to be true."""
    end = len(pack) - _TRAILER
    if hashlib.sha1(memoryview(pack)[:end], usedforsecurity=False).digest() != pack[end:]:
        raise DocumentRefusedError("broken", "the pack is not what its checksum says")
    count = int.from_bytes(pack[8:12])
    if count > limits.objects:
        raise DocumentRefusedError("over_limit", f"more than {limits.objects:,} objects")
    at, unpacked = _HEADER, 0
    for number in range(count):
        if number % 1024 == 0 and time.monotonic() > deadline:
            raise DocumentRefusedError("over_limit", "it takes too long")
        at, size = _check_object(pack, at, end, limits)
        unpacked += size
        if unpacked > limits.unpacked_bytes:
            raise DocumentRefusedError("over_limit", "the pack unpacks to too much")
    if at != end:
        raise DocumentRefusedError("broken", "the pack holds more than it says")


def _check_object(pack: mmap.mmap, at: int, end: int, limits: FetchLimits) -> tuple[int, int]:
    """Return where the next object begins, and the bytes that this one unpacks to."""
    kind, size, at = object_header(pack, at)
    total = size
    if kind == OFS_DELTA:
        while pack[at] & 0x80:
            at += 1
        at += 1
    elif kind == REF_DELTA:
        at += _TRAILER
    if kind in (OFS_DELTA, REF_DELTA):
        total += delta_sizes(pack, at)[1]
    if total > limits.object_bytes:
        raise DocumentRefusedError("over_limit", "an object of the pack is too large")
    return _skip_deflated(pack, at, end, size), total


def _skip_deflated(pack: mmap.mmap, at: int, end: int, size: int) -> int:
    inflater, inflated = zlib.decompressobj(), 0
    while not inflater.eof and at < end:
        piece = pack[at : min(at + _PIECE, end)]
        inflated += len(inflater.decompress(piece, size - inflated + 1))
        if inflated > size or (inflater.unconsumed_tail and not inflater.eof and inflated == size):
            break
        at += len(piece) - len(inflater.unused_data) - len(inflater.unconsumed_tail)
    if inflated != size or not inflater.eof:
        raise DocumentRefusedError("broken", "an object of the pack is not as long as it says")
    return at
