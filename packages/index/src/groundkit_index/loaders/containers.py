"""Reads members of ZIP containers, such as DOCX and EPUB, without being drowned by them."""

from __future__ import annotations

import io
import zipfile
from typing import IO

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits

_PIECE = 2**20
_ENCRYPTED = 0x1
_SMALL = 2**20
"""Members up to this size may have any ratio: a page of blanks packs a thousandfold."""


class Container:
    """A ZIP container in memory; every read is held to the limits.

    Raises:
        DocumentRefusedError: it is broken, or holds too many members.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.unpacked_bytes
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            raise DocumentRefusedError("broken", "its ZIP container cannot be read") from None
        if len(self._zip.infolist()) > limits.members:
            raise DocumentRefusedError("over_limit", f"more than {limits.members:,} members")

    @property
    def names(self) -> list[str]:
        """The names of the members, in order."""
        return self._zip.namelist()

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def read(self, name: str) -> bytes:
        """Return a member's bytes.

        Raises:
            DocumentRefusedError: it is not there, broken, encrypted, or beyond the limits.
        """
        try:
            found = self._zip.getinfo(name)
            _check_open(found)
            with self._zip.open(found) as member:
                return self._read(member, found.compress_size)
        except KeyError:
            raise DocumentRefusedError("broken", "a part of it is missing") from None
        except DocumentRefusedError:
            raise
        except Exception:  # noqa: BLE001  decompressors raise what they like
            raise DocumentRefusedError("broken", "a part of it cannot be unpacked") from None

    def check(self) -> None:
        """Read every member once, for a library that unpacks by itself.

        Raises:
            DocumentRefusedError: as `read`.
        """
        for found in self._zip.infolist():
            self.read(found.filename)
        self._left = self._limits.unpacked_bytes

    def _read(self, member: IO[bytes], packed: int) -> bytes:
        parts, size = [], 0
        while part := member.read(_PIECE):
            size += len(part)
            self._left -= len(part)
            if self._left < 0 or (size > _SMALL and size > self._limits.ratio * max(packed, 1)):
                raise DocumentRefusedError("over_limit", "it unpacks to far more than it should")
            parts.append(part)
        return b"".join(parts)


def _check_open(member: zipfile.ZipInfo) -> None:
    if member.flag_bits & _ENCRYPTED:
        raise DocumentRefusedError("encrypted", "it needs a password")
