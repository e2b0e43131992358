"""What an object in a pack will take, told from headers before anything is unpacked."""

from __future__ import annotations

import mmap
import zlib
from typing import TYPE_CHECKING

from groundkit_core.errors import DocumentRefusedError

if TYPE_CHECKING:
    from dulwich.pack import Pack

OFS_DELTA, REF_DELTA = 6, 7
MAX_CHAIN = 4096  # what git itself allows
_MAX_UNPACKED = 256 * 2**20
_MAX_WORK = 2 * 2**30
_MAX_NUMBER = 10  # bytes of a number of 64 bits


def packed_size(pack: Pack, offset: int) -> int:
    """Return the size in bytes of the object at an offset, deltas applied."""
    buffer = pack.data._buffer()  # the mapping has no public name
    kind, size, at = object_header(buffer, offset)
    if kind == OFS_DELTA:
        _, at = _number(buffer, at, ofs=True)
    elif kind == REF_DELTA:
        at += pack.object_format.oid_length
    return delta_sizes(buffer, at)[1] if kind in (OFS_DELTA, REF_DELTA) else size


def check_chain(pack: Pack, offset: int) -> None:
    """Follow an object's deltas to their base, by headers alone.

    Raises:
        DocumentRefusedError: `broken`, or `over_limit` when it takes too much memory or time.
    """
    buffer = pack.data._buffer()
    deltas = largest = work = 0
    for _ in range(MAX_CHAIN):
        kind, size, at = object_header(buffer, offset)
        if kind == OFS_DELTA:
            distance, at = _number(buffer, at, ofs=True)
            base = offset - distance
        elif kind == REF_DELTA:
            end = at + pack.object_format.oid_length
            base = pack.index.object_offset(bytes(buffer[at:end]))  # type: ignore[arg-type]
            at = end
        else:
            _check(deltas + max(largest, size), work + size)
            return
        result = delta_sizes(buffer, at)[1]
        deltas, largest, work = deltas + size, max(largest, result), work + size + result
        _check(deltas + largest, work)
        if base <= 0 or base == offset:
            break
        offset = base
    raise DocumentRefusedError("broken", "its deltas lead nowhere")


def object_header(buffer: bytes | mmap.mmap, offset: int) -> tuple[int, int, int]:
    """Return the type, the inflated size and the end of the header at an offset of a pack."""
    first = buffer[offset]
    kind, size, at = first >> 4 & 7, first & 15, offset + 1
    if first & 0x80:
        rest, at = _number(buffer, at)
        size |= rest << 4
    return kind, size, at


def delta_sizes(buffer: bytes | mmap.mmap, at: int) -> tuple[int, int]:
    """Return the sizes of the base and of the result of the delta deflated at `at`."""
    head = zlib.decompressobj().decompress(buffer[at : at + 256], 2 * _MAX_NUMBER)
    base, end = _number(head, 0)
    return base, _number(head, end)[0]


def _check(memory: int, work: int) -> None:
    if memory > _MAX_UNPACKED or work > _MAX_WORK:
        raise DocumentRefusedError("over_limit", "its deltas unpack to far more than they should")


def _number(buffer: bytes | mmap.mmap, at: int, *, ofs: bool = False) -> tuple[int, int]:
    """Return a number of seven bits a byte, and where it ends; distances count otherwise."""
    number = 0
    for place in range(_MAX_NUMBER):
        byte = buffer[at + place]
        bits = byte & 0x7F
        if ofs:
            number = (number + 1 << 7) | bits if place else bits
        else:
            number |= bits << 7 * place
        if not byte & 0x80:
            return number, at + place + 1
    raise DocumentRefusedError("broken", "a number in a pack is too long")
