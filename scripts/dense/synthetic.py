"""Vectors like those of texts, without the cost of embedding them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groundkit_core.model import EmbeddingIdentity

Matrix = NDArray[np.float32]

SEED = 20260401
SPREAD = 0.9


def scattered(centres: Matrix, count: int, random: np.random.Generator) -> Matrix:
    """Return unit vectors around centres, shape (count, dimensions).

    Args:
        centres: unit vectors; each is as likely.
        count: how many to make.
        random: where chance comes from.
    """
    width = centres.shape[1]
    noise = random.normal(scale=SPREAD / np.sqrt(width), size=(count, width))
    vectors = centres[random.integers(0, len(centres), count)] + noise.astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


class ScatteredEmbedder:
    """Gives every passage a vector around one of the centres, under the identity of a model.

    Args:
        identity: what the collection is bound to; queries are embedded by its real model.
        centres: unit vectors of real passages.
    """

    def __init__(self, identity: EmbeddingIdentity, centres: Matrix) -> None:
        self.identity = identity
        self._centres = centres
        self._random = np.random.default_rng(SEED)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a passage, shape (texts, dimensions)."""
        return scattered(self._centres, len(texts), self._random)

    def embed_query(self, text: str) -> Matrix:
        """Return a vector, shape (dimensions,)."""
        return np.asarray(self.embed_documents([text])[0])

    def close(self) -> None:
        """Hold nothing, free nothing."""
