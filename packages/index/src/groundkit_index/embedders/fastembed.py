"""`fastembed`: published models, downloaded at first use and run in this process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groundkit_core.errors import EmbeddingError
from groundkit_core.model import EmbeddingIdentity
from groundkit_core.protocols import Notice
from groundkit_index.embedders.downloads import Download, load
from groundkit_index.embedders.extras import expect, require, usable_cores
from groundkit_index.embedders.prefixes import prefixes
from groundkit_index.embedders.settings import EmbedderSettings
from groundkit_index.embedders.texts import prefixed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOCAL = "groundkit-index[local]"
_MODEL = "BAAI/bge-small-en-v1.5"
_BATCH_ITEMS = 8


class FastembedEmbedder:
    """Embeds with a model that fastembed knows [BAAI/bge-small-en-v1.5].

    Args:
        settings: model, prefixes, where weights are kept.
        notice: told what is downloaded, how large it is, and where it is kept.
    """

    def __init__(self, settings: EmbedderSettings, notice: Notice) -> None:
        for module in ("numpy", "fastembed"):
            expect(module, _LOCAL)
        self._settings = settings
        self._name = settings.model or _MODEL
        self._notice = notice
        self._query_prefix, self._document_prefix = prefixes(settings, self._name)
        self._normalize = settings.normalize is not False
        self._loading = threading.Lock()
        self._model: Any = None
        self._revision = ""

    @property
    def identity(self) -> EmbeddingIdentity:
        """What the vectors must be compared under; loads the model for its revision."""
        model = self._loaded()
        return EmbeddingIdentity(
            provider="fastembed",
            model=self._name,
            revision=self._revision,
            dimensions=model.embedding_size,
            normalized=self._normalize,
            query_prefix=self._query_prefix,
            document_prefix=self._document_prefix,
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a passage, shape (texts, dimensions).

        Raises:
            EmbeddingError: the weights cannot be had, or the model gave no proper vector.
        """
        return self._embed(prefixed(self._document_prefix, texts))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, shape (dimensions,)."""
        return self._embed(prefixed(self._query_prefix, [text])).reshape(-1)

    def close(self) -> None:
        """Free the model; the next use loads it again."""
        with self._loading:
            self._model = None

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        from groundkit_index.embedders.vectors import check_values, unit

        model = self._loaded()
        vectors = np.empty((len(texts), model.embedding_size), dtype=np.float32)
        # fastembed pads to the longest of a batch and does not sort.
        order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
        size = self._settings.batch_items or _BATCH_ITEMS
        embedded = model.embed([texts[row] for row in order], batch_size=size)
        for row, vector in zip(order, embedded, strict=True):
            vectors[row] = vector
        check_values(vectors, f"the model {self._name}")
        return unit(vectors) if self._normalize else vectors

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                self._model, self._revision = self._load()
            return self._model

    def _load(self) -> tuple[Any, str]:
        text_embedding = require("fastembed", _LOCAL).TextEmbedding
        download = Download.of(text_embedding, self._name, self._settings.cache_dir)
        model = load(
            lambda **options: text_embedding(self._name, **options),
            download,
            self._settings.threads or usable_cores(),
            self._notice,
        )
        expected = self._settings.dimensions
        if expected is not None and model.embedding_size != expected:
            raise EmbeddingError(
                f"the model {self._name} has {model.embedding_size} dimensions, not {expected}"
            )
        return model, download.revision()
