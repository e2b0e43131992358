"""Vectors that are there already, found by the text that they were made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundkit_index.vectors.slab import Matrix, Slab
from groundkit_index.vectors.slab_writer import SlabWriter

_RECENT = 65_536


class KnownVectors:
    """Text digest -> vector, in 36 bytes a row.

    Deleted rows count too: their vectors are still good.

    Args:
        writer: the slab that is written.
        older: a slab of another version under the same identity.
    """

    def __init__(self, writer: SlabWriter, older: Slab | None = None) -> None:
        self._writer = writer
        self._index = _Digests(writer.labels)
        self._recent: dict[bytes, int] = {}
        self._older = older
        self._older_index = _Digests(older.labels) if older is not None else None

    def find(self, digest: bytes) -> Matrix | None:
        """Return the vector of a text, shape (dimensions,), or None."""
        row = self._recent.get(digest)
        if row is None:
            row = self._index.row(digest)
        if row is not None:
            return self._writer.vector(row)
        if self._older is not None and self._older_index is not None:
            row = self._older_index.row(digest)
            return None if row is None else np.asarray(self._older.vectors[row])
        return None

    def add(self, digests: Sequence[bytes], first: int) -> None:
        """Take up rows that were appended from row `first` on."""
        self._recent.update({digest: first + row for row, digest in enumerate(digests)})
        if len(self._recent) > _RECENT:
            self._index = _Digests(self._writer.labels)
            self._recent = {}


class _Digests:
    """The digests of rows, sorted by their beginning."""

    def __init__(self, labels: NDArray[Any]) -> None:
        parts = _parts(np.ascontiguousarray(labels["digest"]))
        self._order = np.argsort(parts[:, 0]).astype(np.uint32)
        self._sorted = parts[self._order]

    def row(self, digest: bytes) -> int | None:
        wanted = _parts(np.array([digest.hex().encode()], "S32"))[0]
        place = int(np.searchsorted(self._sorted[:, 0], wanted[0]))
        while place < len(self._sorted) and self._sorted[place, 0] == wanted[0]:
            if np.array_equal(self._sorted[place], wanted):
                return int(self._order[place])
            place += 1
        return None


def _parts(digests: NDArray[np.bytes_]) -> NDArray[np.uint64]:
    """Return digests of 32 bytes as four numbers each, which sort faster."""
    return digests.view("<u8").reshape(len(digests), 4)
