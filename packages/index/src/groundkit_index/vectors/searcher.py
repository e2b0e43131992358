"""Finds the nearest vectors: in the flat copy, or in LanceDB when there are very many."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np

from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.damage import reading
from groundkit_index.vectors.scan import Matrix
from groundkit_index.vectors.slab import MANIFEST, Slab
from groundkit_index.vectors.table import INDEXED_ROWS, VectorTable

# An index finds few of the rows that a narrow filter leaves, and a scan of those is short.
_FEW = 4


class VectorIndex:
    """The vectors of a version, open for reading; safe to share between threads.

    Args:
        version: where they are.
        dimensions: length of a vector.
        most_scanned: of more rows, the nearest are found through the index of the table.
    """

    def __init__(
        self, version: VersionPaths, dimensions: int, most_scanned: int = INDEXED_ROWS
    ) -> None:
        self._version = version
        self._dimensions = dimensions
        self._most_scanned = most_scanned
        self._lock = threading.Lock()
        self._seen: tuple[int, int] | None = None
        self._slab: Slab | None = None
        self._table: VectorTable | None = None

    def search(
        self, query: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine), best first; a key may be gone from the catalog.

        Raises:
            CorruptIndexError: what is there cannot be read.
        """
        slab = self._current()
        if slab is None:
            return []
        if self._is_scanned(slab, where):
            return slab.search(query, where, limit, offset)
        try:
            return self._opened().search(query, where, limit, offset)
        except CorruptIndexError:
            # The writer may just have dropped the state that was open.
            return self._opened(anew=True).search(query, where, limit, offset)

    @property
    def count(self) -> int:
        """Vectors of chunks.

        Raises:
            CorruptIndexError: they cannot be read.
        """
        with reading():
            slab = self._current()
            return 0 if slab is None else len(slab.keys())

    @property
    def absent(self) -> bool:
        """Whether there are no vectors at all."""
        return self._current() is None

    def _current(self) -> Slab | None:
        seen = _state(self._version.slab / MANIFEST)
        with self._lock:
            if seen is not None and seen != self._seen:
                self._slab, self._seen = Slab.open(self._version.slab), seen
                self._table = None
            return self._slab

    def _is_scanned(self, slab: Slab, where: DocumentFilter) -> bool:
        if len(slab.labels) <= self._most_scanned:
            return True
        looked_at = int(np.count_nonzero(slab.allowed(where)))
        return looked_at <= self._most_scanned // _FEW

    def _opened(self, *, anew: bool = False) -> VectorTable:
        with self._lock:
            if anew or self._table is None:
                with reading():
                    self._table = VectorTable.existing(self._version.vectors, self._dimensions)
            return self._table


def _state(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
