"""`ollama`: a local model server, by its own interface (POST /api/embed)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundkit_index.embedders.remote.endpoint import checked_endpoint
from groundkit_index.embedders.settings import EmbedderSettings

_ENDPOINT = "http://127.0.0.1:11434"
_MODEL = "nomic-embed-text"


class Ollama:
    """The wire format of Ollama; the defaults are its own port and `nomic-embed-text`."""

    provider = "ollama"
    path = "/api/embed"

    def __init__(self, settings: EmbedderSettings) -> None:
        self.model = settings.model or _MODEL
        self.endpoint = checked_endpoint(settings.endpoint or _ENDPOINT)
        self._dimensions = settings.dimensions

    def headers(self) -> Mapping[str, str]:
        """Return nothing: Ollama knows no keys."""
        return {}

    def request(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return the body that asks for the texts' vectors."""
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "truncate": True}
        if self._dimensions is not None:
            body["dimensions"] = self._dimensions
        return body

    def rows(self, answer: object) -> object:
        """Return the vectors of an answer, unchecked."""
        if not isinstance(answer, dict) or not isinstance(answer.get("embeddings"), list):
            raise TypeError("no list of embeddings")
        return answer["embeddings"]

    def when_down(self) -> str:
        """Say how to start it."""
        return "start it with `ollama serve`"

    def when_refused(self, status: int) -> str:
        """Say how to get a missing model."""
        return f"get the model with `ollama pull {self.model}`" if status == 404 else ""
