"""The two copies of the vectors, opened without trust."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundkit_core.errors import CorruptIndexError
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.damage import UNREADABLE, reading
from groundkit_index.vectors.slab import MANIFEST, Matrix, Slab
from groundkit_index.vectors.table import VectorTable

BLOCK = 8_192
_TOLERANCE = 1e-4


def open_slab(folder: Path, dimensions: int) -> Slab | None:
    """Return the flat copy of the vectors in a folder; None when there is none.

    Raises:
        CorruptIndexError: it cannot be read, or holds vectors of another length.
    """
    if not (folder / MANIFEST).exists():
        return None
    with reading():
        slab = Slab.open(folder)
    if slab.vectors.shape[1] != dimensions:
        raise CorruptIndexError(UNREADABLE)
    return slab


def open_table(version: VersionPaths, dimensions: int) -> VectorTable | None:
    """Return the table of a version; None when there is none, for which nothing is imported.

    Raises:
        CorruptIndexError: it cannot be read, or holds vectors of another length.
        SettingsError: LanceDB is not installed.
    """
    if not VectorTable.is_there(version.vectors):
        return None
    with reading():
        return VectorTable.existing(version.vectors, dimensions)


def sound(vectors: Matrix, *, normalized: bool) -> NDArray[np.bool_]:
    """Return which vectors can be compared: finite, not zero, and of unit length if they must."""
    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
        if normalized:
            return np.asarray(np.abs(squares - 1.0) < _TOLERANCE)
        return np.asarray(np.isfinite(squares) & (squares > 0))
