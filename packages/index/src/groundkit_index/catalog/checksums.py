"""Checksums that tell a damaged row, and the digest that tells two catalogs apart."""

from __future__ import annotations

import hashlib
import zlib

_MODULUS = 1 << 256


def row_checksum(*values: str | int | None) -> int:
    """Return the CRC-32 of a row's values."""
    return zlib.crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


class DocumentTally:
    """A digest over all documents that does not depend on their order.

    It is the sum, modulo 2^256, of the SHA-256 of each document's root name, source and digest,
    so that it is kept up to date without reading the others.

    Args:
        value: 64 hex digits, as `hexdigest` gave them.
    """

    def __init__(self, value: str = "0" * 64) -> None:
        self._sum = int(value, 16)

    def add(self, root: str, source: str, sha256: str) -> None:
        """Count a document in."""
        self._sum = (self._sum + _term(root, source, sha256)) % _MODULUS

    def remove(self, root: str, source: str, sha256: str) -> None:
        """Count a document out."""
        self._sum = (self._sum - _term(root, source, sha256)) % _MODULUS

    def hexdigest(self) -> str:
        """Return the digest, 64 hex digits; zero for no documents."""
        return f"{self._sum:064x}"


def _term(root: str, source: str, sha256: str) -> int:
    text = "\0".join((root, source, sha256))
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
