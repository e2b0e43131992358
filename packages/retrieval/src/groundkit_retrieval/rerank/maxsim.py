"""`maxsim`: late interaction over the token vectors of an `onnx` embedder.

The score is that of Khattab and Zaharia, ColBERT, 2020, divided by the number of query
tokens: the mean over query tokens of the highest cosine with a token of the passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Embedder
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_retrieval.rerank.scores import checked_scores
from groundkit_retrieval.rerank.settings import RerankerSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class TokenEmbedder(Protocol):
    """An embedder that also gives the vectors of single tokens."""

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the unit vectors of each text's tokens, shapes (tokens, dimensions)."""

    def close(self) -> None:
        """Free memory."""


class MaxSimReranker:
    """Scores by the mean over query tokens of the best cosine in the passage, in -1..1.

    A passage without tokens scores -1; a query without tokens scores 0 everywhere.

    Args:
        embedder: where token vectors come from.
        owned: close the embedder along.
    """

    name = "maxsim"

    def __init__(self, embedder: TokenEmbedder, owned: bool = False) -> None:
        self._embedder = embedder
        self._owned = owned

    @classmethod
    def of(cls, settings: RerankerSettings, embedder: Embedder | None) -> MaxSimReranker:
        """Return one over the model that is named, else over the collection's embedder.

        Raises:
            SettingsError: no model is named and the collection's embedder has no token vectors.
        """
        if settings.model:
            made = make_embedder(
                EmbedderSettings(
                    "onnx",
                    model=settings.model,
                    max_tokens=settings.max_tokens,
                    batch_items=settings.batch_items,
                    threads=settings.threads,
                )
            )
            if isinstance(made, TokenEmbedder):
                return cls(made, owned=True)
        if isinstance(embedder, TokenEmbedder):
            return cls(embedder)
        raise SettingsError(
            "the maxsim reranker needs the directory of an onnx model as its model, "
            "or a collection that is embedded with one"
        )

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return one score a passage, in their order; higher is better.

        Raises:
            EmbeddingError: the model cannot be loaded or run, or gives no token vectors.
        """
        if not passages:
            return []
        sought = self._embedder.token_vectors([query])[0]
        found = self._embedder.token_vectors(passages)
        scores = [_maxsim(sought, tokens) for tokens in found]
        return checked_scores(scores, len(passages), self.name)

    def close(self) -> None:
        """Free the model, if it is this reranker's own."""
        if self._owned:
            self._embedder.close()


def _maxsim(sought: NDArray[np.float32], tokens: NDArray[np.float32]) -> float:
    if not len(sought):
        return 0.0
    if not len(tokens):
        return -1.0
    return float((sought @ tokens.T).max(axis=1).mean())
