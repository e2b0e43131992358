"""Undoes content encodings without being drowned by them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

OFFERED = "gzip, deflate"
"""What requests accept; one layer of it, for layers multiply."""

_PIECE = 2**18
_GZIP = zlib.MAX_WBITS | 16
_GZIP_MAGIC = b"\x1f\x8b"


class NotDecodableError(ValueError):
    """The blocks are not of the encoding that they are said to be of."""


class TooLargeError(ValueError):
    """There are more bytes than allowed."""


def is_offered(encoding: str) -> bool:
    """Return whether a `Content-Encoding` is one that can be undone."""
    return encoding.strip().lower() in ("", "identity", "gzip", "x-gzip", "deflate")


def decoded(blocks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield the pieces of encoded blocks, none larger than 256 KiB unless it came so.

    Raises:
        NotDecodableError: they are broken or end too early.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        yield from blocks
        return
    try:
        yield from _gunzipped(blocks) if "gzip" in encoding else _inflated(blocks)
    except zlib.error as error:
        raise NotDecodableError("broken") from error


def gunzip(data: bytes, largest: int) -> bytes:
    """Return what a gzip file holds.

    Raises:
        NotDecodableError: it is broken.
        TooLargeError: it holds more bytes than allowed.
    """
    return collected(decoded([data], "gzip"), largest)


def collected(pieces: Iterable[bytes], largest: int, *, cut: bool = False) -> bytes:
    """Return pieces as one.

    Args:
        pieces: the pieces; not asked for more once there is enough.
        largest: bytes that there may be.
        cut: return that many if there are more.

    Raises:
        TooLargeError: there are more, and `cut` is not set.
    """
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > largest:
            if cut:
                break
            raise TooLargeError
    return bytes(body[:largest])


def _gunzipped(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the members of a gzip stream; what follows them and is none is left out."""
    inflater = zlib.decompressobj(_GZIP)
    for block in blocks:
        rest = block
        while rest:
            if inflater.eof:
                if not rest.startswith(_GZIP_MAGIC):
                    return
                inflater = zlib.decompressobj(_GZIP)
            yield inflater.decompress(rest, _PIECE)
            rest = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    yield from _flushed(inflater)


def _inflated(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a deflated stream, which by the standard has a zlib header and often has none."""
    inflater = None
    for block in blocks:
        rest = block
        if inflater is None and rest:
            inflater = zlib.decompressobj(zlib.MAX_WBITS if _has_header(rest) else -zlib.MAX_WBITS)
        while rest and inflater is not None and not inflater.eof:
            yield inflater.decompress(rest, _PIECE)
            rest = inflater.unconsumed_tail
    if inflater is not None:
        yield from _flushed(inflater)


def _flushed(inflater: zlib._Decompress) -> Iterator[bytes]:
    """Yield what the inflater holds back; its input may be used up before its output is."""
    while not inflater.eof and (piece := inflater.decompress(b"", _PIECE)):
        yield piece
    if not inflater.eof:
        raise NotDecodableError("ends too early")


def _has_header(block: bytes) -> bool:
    return block[0] & 0x0F == 8 and (len(block) < 2 or int.from_bytes(block[:2]) % 31 == 0)
