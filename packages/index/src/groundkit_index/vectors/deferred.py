"""An embedder that is made when the first text needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundkit_core.model import EmbeddingIdentity
from groundkit_core.protocols import Embedder, Notice
from groundkit_index.vectors.binding import Binding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DeferredEmbedder:
    """The embedder of a binding; while vectors are only copied, nothing is loaded or asked.

    Args:
        binding: its identity is taken as given until the embedder is made.
        notice: told what a person should know, such as a download.
    """

    def __init__(self, binding: Binding, notice: Notice | None = None) -> None:
        self._binding = binding
        self._notice = notice
        self._embedder: Embedder | None = None

    @property
    def identity(self) -> EmbeddingIdentity:
        """The identity that the collection is bound to."""
        return self._binding.identity

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a passage, shape (texts, dimensions).

        Raises:
            EmbeddingMismatchError: the model behind the binding is another one now.
            EmbeddingError: it cannot be made or reached, or failed.
        """
        return self._made().embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, shape (dimensions,); raises as `embed_documents` does."""
        return self._made().embed_query(text)

    def close(self) -> None:
        """Free the embedder, if it was made."""
        if self._embedder is not None:
            self._embedder.close()
            self._embedder = None

    def _made(self) -> Embedder:
        if self._embedder is None:
            self._embedder = self._binding.embedder(self._notice)
        return self._embedder
