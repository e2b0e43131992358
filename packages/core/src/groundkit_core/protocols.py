"""What the layers expect of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from groundkit_core.model import EmbeddingIdentity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Progress(Protocol):
    """Called while a long run works; must return quickly."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Report that `done` of `total` items of `stage` are done."""


class Notice(Protocol):
    """Called with one line for the person who waits."""

    def __call__(self, message: str) -> None:
        """Show the line."""


class Check(Protocol):
    """Called now and then by long work; raises to end it, as a deadline does."""

    def __call__(self) -> None:
        """Return when the work may go on."""


class Embedder(Protocol):
    """Turns texts into vectors; safe to share between threads."""

    @property
    def identity(self) -> EmbeddingIdentity:
        """What the vectors must be compared under."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a passage, shape (texts, dimensions); prefixes are put before.

        Raises:
            EmbeddingError: the provider failed or gave something that is no such vector.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, shape (dimensions,)."""

    def close(self) -> None:
        """Free connections and memory."""
