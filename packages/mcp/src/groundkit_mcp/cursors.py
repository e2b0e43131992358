"""Cursors: where the rest of an answer begins, good only for whoever got the first part."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import struct
from dataclasses import dataclass

from groundkit_core.errors import RequestError

MAX_CURSOR_CHARS = 100
MIN_KEY_BYTES = 32

_LAYOUT = struct.Struct(">BHQ")
_FORMAT = 1
_MAC_BYTES = 16


@dataclass(frozen=True, slots=True)
class Position:
    """How far an answer has come.

    Attributes:
        offset: passages that were given already.
        generation: the state of the catalog that gave them.
    """

    offset: int
    generation: int


class Cursors:
    """Signs positions, and reads them back.

    Args:
        key: at least 32 bytes, the same for all replicas [fresh, so that a cursor ends with the
            process].
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._key = hashlib.sha256(key or secrets.token_bytes(MIN_KEY_BYTES)).digest()

    def sign(self, position: Position, bound: bytes) -> str:
        """Return the cursor for a position.

        Args:
            position: where the rest begins.
            bound: who asked what; the cursor is good for nothing else.
        """
        packed = _LAYOUT.pack(_FORMAT, position.offset, position.generation)
        return base64.urlsafe_b64encode(packed + self._mac(packed, bound)).decode().rstrip("=")

    def read(self, cursor: str, bound: bytes) -> Position:
        """Return the position that a cursor stands for.

        Raises:
            RequestError: it was made for somebody else, for other arguments, or not at all.
        """
        try:
            found = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
            packed, mac = found[: _LAYOUT.size], found[_LAYOUT.size :]
            if hmac.compare_digest(mac, self._mac(packed, bound)):
                _, offset, generation = _LAYOUT.unpack(packed)
                return Position(offset, generation)
        except (UnicodeEncodeError, binascii.Error, ValueError):
            pass
        raise RequestError(
            "cursor: not one that this service gave you for these arguments; ask without it"
        )

    def _mac(self, packed: bytes, bound: bytes) -> bytes:
        keyed = hashlib.blake2b(key=self._key, digest_size=_MAC_BYTES)
        keyed.update(packed)
        keyed.update(bound)
        return keyed.digest()


def parse_key(content: bytes) -> bytes:
    """Return the key that a file holds.

    Raises:
        ValueError: it is too short to be secret.
    """
    if len(content.strip()) < MIN_KEY_BYTES:
        raise ValueError(f"a key has at least {MIN_KEY_BYTES} bytes")
    return content.strip()
