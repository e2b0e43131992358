"""`sentence-transformers`: any cross-encoder, with PyTorch."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from typing import Any

from groundkit_core.errors import EmbeddingError
from groundkit_core.protocols import Notice
from groundkit_index.embedders.caches import weights_folder
from groundkit_index.embedders.extras import expect, require
from groundkit_retrieval.rerank.scores import checked_scores
from groundkit_retrieval.rerank.settings import RerankerSettings

# No extra of ours: PyTorch comes along, and which build of it is the user's choice.
_INSTALL = "sentence-transformers"
_MODEL = "cross-encoder/ms-marco-MiniLM-L6-v2"
_BATCH_ITEMS = 8


class SentenceTransformersReranker:
    """Scores with a sentence-transformers cross-encoder [cross-encoder/ms-marco-MiniLM-L6-v2].

    Args:
        settings: model name or directory, batch size, where weights are kept.
        notice: told what is downloaded and where it is kept.
    """

    def __init__(self, settings: RerankerSettings, notice: Notice) -> None:
        expect("sentence_transformers", _INSTALL)
        self._settings = settings
        self._model_name = settings.model or _MODEL
        self._notice = notice
        self._loading = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """The provider and its model."""
        return f"sentence-transformers:{self._model_name}"

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return one score a passage, in their order; higher is better.

        Raises:
            EmbeddingError: the weights cannot be had, or the model failed.
        """
        if not passages:
            return []
        model = self._loaded()
        pairs = [(query, passage) for passage in passages]
        size = self._settings.batch_items or _BATCH_ITEMS
        try:
            scores = list(model.predict(pairs, batch_size=size, show_progress_bar=False))
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
        encoder = require("sentence_transformers", _INSTALL).CrossEncoder
        folder = str(weights_folder(self._settings.cache_dir))
        with contextlib.suppress(Exception):
            return encoder(self._model_name, cache_folder=folder, local_files_only=True)
        self._notice(f"downloading {self._model_name} from Hugging Face to {folder}")
        try:
            return encoder(self._model_name, cache_folder=folder)
        except Exception as error:
            raise EmbeddingError(
                f"the weights of {self._model_name} are not in {folder} and could not be "
                "downloaded; connect to the internet once"
            ) from error
