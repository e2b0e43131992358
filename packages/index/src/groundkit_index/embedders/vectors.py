"""What counts as a vector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groundkit_core.errors import EmbeddingError


def checked(raw: object, count: int, dimensions: int | None, source: str) -> NDArray[np.float32]:
    """Return what a provider answered as vectors, shape (count, dimensions).

    Args:
        raw: rows of numbers, from a provider that is not trusted.
        count: how many were asked for.
        dimensions: the length every one must have; None takes what comes.
        source: the provider, as a person knows it, for the message.

    Raises:
        EmbeddingError: wrong number or length, no numbers, not finite, or all zeros.
    """
    rows = _numbers(raw, source)
    if rows.shape[0] != count:
        raise EmbeddingError(f"{source} answered {rows.shape[0]} vectors for {count} texts")
    if dimensions is not None and rows.shape[1] != dimensions:
        raise EmbeddingError(
            f"{source} answered vectors of {rows.shape[1]} dimensions, not {dimensions}; "
            "the model has changed or the setting is wrong"
        )
    with np.errstate(over="ignore"):
        vectors = rows.astype(np.float32, copy=False)
    check_values(vectors, source)
    return vectors


def check_values(vectors: NDArray[np.float32], source: str) -> None:
    """Check that every vector is finite and has a direction.

    Raises:
        EmbeddingError: one has not.
    """
    if not np.isfinite(vectors).all():
        raise EmbeddingError(f"{source} answered a vector that is not finite")
    if not vectors.any(axis=1).all():
        raise EmbeddingError(f"{source} answered a vector of zeros")


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors at unit length, shape unchanged; none may be zero."""
    # Squares of float32 may leave its range, so the norm is taken in float64.
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    scaled: NDArray[np.float32] = (vectors / norms[:, None]).astype(np.float32)
    return scaled


def _numbers(raw: object, source: str) -> NDArray[np.float64]:
    try:
        rows = np.asarray(raw)
    except (ValueError, TypeError, OverflowError) as error:
        raise EmbeddingError(f"{source} answered vectors of unequal length") from error
    if rows.ndim != 2 or rows.shape[1] == 0 or rows.dtype.kind not in "fiu":
        raise EmbeddingError(f"{source} answered something that is not a list of vectors")
    return rows
