"""Finds the nearest vectors: in the flat copy, or in LanceDB when there are many."""

from __future__ import annotations

import threading
from pathlib import Path

from groundkit_core.filters import DocumentFilter
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.slab import MANIFEST, Matrix, Slab
from groundkit_index.vectors.table import VectorTable

FLAT_SEARCH_ROWS = 200_000


class VectorIndex:
    """The vectors of a version, open for reading; safe to share between threads."""

    def __init__(self, version: VersionPaths, dimensions: int) -> None:
        self._version = version
        self._dimensions = dimensions
        self._lock = threading.Lock()
        self._seen: tuple[int, int] | None = None
        self._slab: Slab | None = None

    def search(
        self, query: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine), best first; a key may be gone from the catalog."""
        slab = self._current()
        if slab is None:
            return []
        if len(slab.labels) <= FLAT_SEARCH_ROWS:
            return slab.search(query, where, limit, offset)
        table = VectorTable(self._version.vectors, self._dimensions)
        return table.search(query, where, limit, offset)

    def _current(self) -> Slab | None:
        seen = _state(self._version.slab / MANIFEST)
        with self._lock:
            if seen is not None and seen != self._seen:
                self._slab, self._seen = Slab.open(self._version.slab), seen
            return self._slab


def _state(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
