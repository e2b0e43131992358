"""The embedder over a directory with `model.onnx` and `tokenizer.json`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundkit_core.errors import EmbeddingError
from groundkit_core.model import EmbeddingIdentity
from groundkit_index.embedders.extras import expect
from groundkit_index.embedders.onnx.folder import (
    DEFAULT_MAX_TOKENS,
    DEFAULT_POOLING,
    ModelFolder,
    read_folder,
)
from groundkit_index.embedders.settings import EmbedderSettings
from groundkit_index.embedders.texts import prefixed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundkit_index.embedders.onnx.encoder import Encoder

_BATCH_ITEMS = 8
_REVISION_DIGITS = 16


class OnnxEmbedder:
    """Embeds with any sentence-transformer export; the model loads at first use.

    Raises:
        SettingsError: the directory holds no model, or its description is wrong.
        EmbeddingError: onnxruntime or tokenizers is not installed.
    """

    def __init__(self, settings: EmbedderSettings) -> None:
        for module in ("numpy", "onnxruntime", "tokenizers"):
            expect(module, "groundkit-index[local]")
        self._folder = read_folder(settings)
        self._expected = settings.dimensions
        self._batch_items = settings.batch_items or _BATCH_ITEMS
        self._threads = settings.threads
        self._loading = threading.Lock()
        self._encoder: Encoder | None = None

    @property
    def identity(self) -> EmbeddingIdentity:
        """What the vectors must be compared under; the revision names the weights."""
        encoder = self._loaded()
        return EmbeddingIdentity(
            provider="onnx",
            model=self._folder.name,
            revision=_revision(encoder.digest, self._folder),
            dimensions=encoder.dimensions,
            normalized=self._folder.normalize,
            query_prefix=self._folder.query_prefix,
            document_prefix=self._folder.document_prefix,
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a passage, shape (texts, dimensions).

        Raises:
            EmbeddingError: the model cannot be loaded or run, or gave no proper vector.
        """
        return self._embed(prefixed(self._folder.document_prefix, texts))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, shape (dimensions,)."""
        return self._embed(prefixed(self._folder.query_prefix, [text])).reshape(-1)

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the unit vectors of each text's tokens, shapes (tokens, dimensions).

        Special tokens are left out and no prefix is put before.

        Raises:
            EmbeddingError: the model gives no vectors of tokens.
        """
        from groundkit_index.embedders.onnx.tokens import token_rows

        vectors: dict[int, NDArray[np.float32]] = {}
        for batch in self._loaded().run(prefixed("", texts)):
            vectors.update(zip(batch.rows, token_rows(batch), strict=True))
        return [vectors[row] for row in range(len(texts))]

    def close(self) -> None:
        """Free the model; the next use loads it again."""
        with self._loading:
            self._encoder = None

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        from groundkit_index.embedders.onnx.pooling import pooled
        from groundkit_index.embedders.vectors import check_values, unit

        encoder = self._loaded()
        vectors = np.empty((len(texts), encoder.dimensions), dtype=np.float32)
        for batch in encoder.run(texts):
            vectors[batch.rows] = pooled(batch, self._folder.pooling)
        check_values(vectors, f"the model {self._folder.name}")
        return unit(vectors) if self._folder.normalize else vectors

    def _loaded(self) -> Encoder:
        with self._loading:
            if self._encoder is None:
                from groundkit_index.embedders.onnx.encoder import Encoder

                encoder = Encoder(self._folder, self._batch_items, self._threads)
                self._check_dimensions(encoder.dimensions)
                self._encoder = encoder
            return self._encoder

    def _check_dimensions(self, dimensions: int) -> None:
        if self._expected is not None and dimensions != self._expected:
            raise EmbeddingError(
                f"the model {self._folder.name} has {dimensions} dimensions, not {self._expected}"
            )


def _revision(digest: str, folder: ModelFolder) -> str:
    """Name the weights, and the ways of using them that change what a vector means."""
    parts = [digest[:_REVISION_DIGITS]]
    if folder.pooling != DEFAULT_POOLING:
        parts.append(folder.pooling)
    if folder.max_tokens != DEFAULT_MAX_TOKENS:
        parts.append(f"{folder.max_tokens}tokens")
    return "+".join(parts)
