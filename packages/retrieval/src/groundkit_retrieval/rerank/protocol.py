"""What a reranker is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores passages against a query; safe to share between threads."""

    @property
    def name(self) -> str:
        """The provider and its model, for the record."""

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return one finite score a passage, in their order; higher is better.

        Raises:
            EmbeddingError: the model cannot be loaded or run, or gave something else.
        """

    def close(self) -> None:
        """Free memory."""
