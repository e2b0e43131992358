"""Embeds queries with the embedder that a collection is bound to."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from groundkit_index.vectors.needs import need_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundkit_core.protocols import Embedder, Notice


class QueryEmbedder:
    """Makes the embedder at the first query that needs it, and keeps it; thread-safe.

    Args:
        notice: told what a person should know, such as a download.
    """

    def __init__(self, notice: Notice | None = None) -> None:
        self._notice = notice
        self._lock = threading.Lock()
        self._binding: dict[str, Any] | None = None
        self._embedder: Embedder | None = None

    def embed(self, query: str, binding: dict[str, Any]) -> NDArray[np.float32]:
        """Return the vector of a query under a binding.

        Raises:
            EmbeddingError: the embedder cannot be made or failed.
            EmbeddingMismatchError: the model is another one than the collection is bound to.
        """
        return self.embedder(binding).embed_query(query)

    def embedder(self, binding: dict[str, Any]) -> Embedder:
        """Return the embedder of a binding.

        Raises:
            EmbeddingError: it cannot be made.
            SettingsError: a package that vectors need is not installed.
            EmbeddingMismatchError: the model is another one than the collection is bound to.
        """
        need_vectors()
        from groundkit_index.vectors.binding import Binding

        with self._lock:
            if self._embedder is None or self._binding != binding:
                self._close()
                self._embedder = Binding.from_manifest(binding).embedder(self._notice)
                self._binding = binding
            return self._embedder

    def _close(self) -> None:
        if self._embedder is not None:
            self._embedder.close()
            self._embedder = None

    def close(self) -> None:
        """Free the embedder."""
        with self._lock:
            self._close()
