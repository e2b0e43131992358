"""Unpacks a stream piece by piece, and stops when it becomes far too much."""

from __future__ import annotations

import bz2
import lzma
import zlib
from typing import BinaryIO, Protocol

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits
from groundkit_index.sources.archive.budget import Clock
from groundkit_index.sources.archive.formats import Format

_PIECE = 2**16
_SMALL = 16 * 2**20
"""Up to this size any ratio is taken."""

_XZ_MEMORY = 128 * 2**20
"""Bytes that decoding may take; what `xz -9` packs needs 65 MiB."""


class Unpacked:
    """The unpacked bytes of a file, in order.

    Args:
        file: the packed bytes; read from their beginning.
        kind: how they are packed; `tar` is not at all.
        limits: `unpacked_bytes`, `ratio` and `seconds`.
    """

    def __init__(self, file: BinaryIO, kind: Format, limits: Limits) -> None:
        self._file = file
        self._kind = kind
        self._limits = limits
        self._clock = Clock(limits.seconds)
        self._decoder = _decoder(kind)
        self._waiting = b""
        self._packed = self._unpacked = 0
        file.seek(0)

    @property
    def is_checked(self) -> bool:
        """Whether a checksum tells a truncated file from a whole one."""
        return self._kind != "tar"

    def read(self, size: int) -> bytes:
        """Return exactly `size` bytes, or fewer at the end.

        Raises:
            DocumentRefusedError: `over_limit`, or `broken` when it is truncated.
        """
        pieces = []
        while size > 0 and (piece := self._piece(min(size, _PIECE))):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def skip(self, size: int) -> None:
        """Pass over bytes.

        Raises:
            DocumentRefusedError: there are not as many.
        """
        while size > 0:
            piece = self._piece(min(size, _PIECE))
            if not piece:
                raise DocumentRefusedError("broken", "the archive is truncated")
            size -= len(piece)

    def drain(self) -> None:
        """Unpack the rest, so that its checksums are compared."""
        while self._piece(_PIECE):
            pass

    def _piece(self, size: int) -> bytes:
        piece = self._take(size) if self._kind == "tar" else self._decode(size)
        self._unpacked += len(piece)
        self._clock.check()
        most = max(_SMALL, self._limits.ratio * self._packed)
        if self._unpacked > min(most, self._limits.unpacked_bytes):
            raise DocumentRefusedError("over_limit", "it unpacks to far more than it should")
        return piece

    def _decode(self, size: int) -> bytes:
        while True:
            if self._decoder.eof and not self._next_stream():
                return b""
            data = self._take(_PIECE) if self._decoder.needs_input and not self._waiting else b""
            waiting, self._waiting = self._waiting, b""
            piece = self._decoder.decompress(waiting + data, size)
            if piece:
                return piece
            if not data and not waiting and not self._decoder.eof and self._decoder.needs_input:
                raise DocumentRefusedError("broken", "the archive is truncated")

    def _next_stream(self) -> bool:
        """Begin the next of several streams; zeros may stand between them and at the end."""
        waiting = self._decoder.unused_data.lstrip(b"\0")
        while not waiting and (more := self._take(_PIECE)):
            waiting = more.lstrip(b"\0")
        if waiting:
            self._waiting, self._decoder = waiting, _decoder(self._kind)
        return bool(waiting)

    def _take(self, size: int) -> bytes:
        piece = self._file.read(size)
        self._packed += len(piece)
        return piece


class _Decoder(Protocol):
    """The shape that decoders of the standard library have, but for that of `zlib`."""

    @property
    def eof(self) -> bool:
        """Whether a stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether there is nothing to give without more input."""

    @property
    def unused_data(self) -> bytes:
        """What came after the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Return at most `max_length` bytes, keeping the input that is not used yet."""


class _Gzip:
    """A decoder of gzip streams."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inflater.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflater.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflater.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inflater.decompress(self._inflater.unconsumed_tail + data, max_length)


def _decoder(kind: Format) -> _Decoder:
    if kind == "bz2":
        return bz2.BZ2Decompressor()
    if kind == "xz":
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    return _Gzip()
