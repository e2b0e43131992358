"""`fastembed`: published cross-encoders, downloaded at first use."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from groundkit_core.errors import EmbeddingError
from groundkit_core.protocols import Notice
from groundkit_index.embedders.downloads import Download, load
from groundkit_index.embedders.extras import expect, require, usable_cores
from groundkit_retrieval.rerank.scores import checked_scores
from groundkit_retrieval.rerank.settings import RerankerSettings

_EXTRA = "groundkit-retrieval[rerank]"
_MODEL = "Xenova/ms-marco-MiniLM-L-6-v2"
_BATCH_ITEMS = 8


class FastembedReranker:
    """Scores with a cross-encoder that fastembed knows [Xenova/ms-marco-MiniLM-L-6-v2].

    Args:
        settings: model, batch size, where weights are kept.
        notice: told what is downloaded, how large it is, and where it is kept.
    """

    def __init__(self, settings: RerankerSettings, notice: Notice) -> None:
        expect("fastembed", _EXTRA)
        self._settings = settings
        self._model_name = settings.model or _MODEL
        self._notice = notice
        self._loading = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """The provider and its model."""
        return f"fastembed:{self._model_name}"

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return one score a passage, in their order; higher is better.

        Raises:
            EmbeddingError: the weights cannot be had, or the model failed.
        """
        if not passages:
            return []
        model = self._loaded()
        size = self._settings.batch_items or _BATCH_ITEMS
        try:
            scores = list(model.rerank(query, list(passages), batch_size=size))
        except Exception as error:
            raise EmbeddingError(f"the reranker {self._model_name} failed") from error
        return checked_scores(scores, len(passages), self.name)

    def close(self) -> None:
        """Free the model; the next use loads it again."""
        with self._loading:
            self._model = None

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        encoder = require("fastembed.rerank.cross_encoder", _EXTRA).TextCrossEncoder
        return load(
            lambda **options: encoder(self._model_name, **options),
            Download.of(encoder, self._model_name, self._settings.cache_dir),
            self._settings.threads or usable_cores(),
            self._notice,
        )
