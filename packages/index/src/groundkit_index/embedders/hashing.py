"""`hash`: words hashed to signed features; for tests and demonstrations."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from groundkit_core.model import EmbeddingIdentity
from groundkit_index.embedders.extras import expect
from groundkit_index.embedders.settings import EmbedderSettings
from groundkit_index.embedders.texts import prefixed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DIMENSIONS = 256
_REVISION = "1"
_WORD = re.compile(r"\w+")
_NO_WORDS = "\0"


class HashEmbedder:
    """Signed feature hashing of words: equal words, near vectors; no meaning.

    Weights are 1 + log tf; see Weinberger et al., Feature Hashing for Large Scale
    Multitask Learning, 2009. Vectors always have unit length.
    """

    def __init__(self, settings: EmbedderSettings) -> None:
        expect("numpy", "groundkit-index[dense]")
        self._identity = EmbeddingIdentity(
            provider="hash",
            model=settings.model or "words",
            revision=_REVISION,
            dimensions=settings.dimensions or _DIMENSIONS,
            query_prefix=settings.query_prefix or "",
            document_prefix=settings.document_prefix or "",
        )

    @property
    def identity(self) -> EmbeddingIdentity:
        """What the vectors must be compared under."""
        return self._identity

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a passage, shape (texts, dimensions)."""
        return self._embed(prefixed(self._identity.document_prefix, texts))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, shape (dimensions,)."""
        return self._embed(prefixed(self._identity.query_prefix, [text])).reshape(-1)

    def close(self) -> None:
        """Hold nothing, free nothing."""

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        from groundkit_index.embedders.vectors import unit

        vectors = np.zeros((len(texts), self._identity.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            _add_words(vector, text)
        return unit(vectors)


def _add_words(vector: NDArray[np.float32], text: str) -> None:
    import numpy as np

    counts = Counter(_words(text))
    for word, count in counts.items():
        feature, sign = _feature(word, len(vector))
        vector[feature] += sign * (1 + np.log(count))
    if not vector.any():
        # No words, or words that cancel each other out.
        feature, sign = _feature(_NO_WORDS, len(vector))
        vector[feature] = sign


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=65536)
def _feature(word: str, dimensions: int) -> tuple[int, float]:
    digest = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little")
    return (digest >> 1) % dimensions, 1.0 if digest & 1 else -1.0
