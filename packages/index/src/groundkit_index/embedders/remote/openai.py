"""`openai`: any server with OpenAI's interface (POST /embeddings)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from groundkit_core.errors import SettingsError
from groundkit_index.embedders.remote.endpoint import checked_endpoint
from groundkit_index.embedders.settings import EmbedderSettings

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_KEY = re.compile(r"[!-~]+")


class OpenAI:
    """The wire format of OpenAI and the servers that speak it.

    The key is read from the environment at each request, by the name that is set.

    Raises:
        SettingsError: no endpoint or model, or a wrong one; the variable is not set.
    """

    provider = "openai"
    path = "/embeddings"

    def __init__(self, settings: EmbedderSettings) -> None:
        if not settings.endpoint:
            raise SettingsError(
                "the openai embedder needs an endpoint, such as http://127.0.0.1:8080/v1"
            )
        if not settings.model:
            raise SettingsError("the openai embedder needs the name of a model")
        self.model = settings.model
        self.endpoint = checked_endpoint(settings.endpoint)
        self._dimensions = settings.dimensions
        self._variable = settings.api_key_env
        self.headers()

    def headers(self) -> Mapping[str, str]:
        """Return the authorization, when a variable is named.

        Raises:
            SettingsError: the variable is not set or holds no key.
        """
        if not self._variable:
            return {}
        if not _VARIABLE.fullmatch(self._variable):
            # Not repeated: it may be the key itself.
            raise SettingsError("api_key_env must be the name of an environment variable")
        key = os.environ.get(self._variable, "").strip()
        if not _KEY.fullmatch(key):
            raise SettingsError(f"the environment variable {self._variable} holds no key")
        return {"Authorization": f"Bearer {key}"}

    def request(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return the body that asks for the texts' vectors."""
        body: dict[str, Any] = {
            "model": self.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._dimensions is not None:
            body["dimensions"] = self._dimensions
        return body

    def rows(self, answer: object) -> object:
        """Return the vectors of an answer by their `index`, unchecked."""
        if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
            raise TypeError("no list of data")
        items = answer["data"]
        if not all(isinstance(item, dict) for item in items):
            raise TypeError("data that is no object")
        if not all(type(item.get("index")) is int for item in items):
            raise TypeError("data without an index")
        items = sorted(items, key=lambda item: item["index"])
        if [item["index"] for item in items] != list(range(len(items))):
            raise ValueError("indices that do not count the vectors")
        return [item.get("embedding") for item in items]

    def when_down(self) -> str:
        """Say what to check."""
        return "start the embedding server there or correct the endpoint"

    def when_refused(self, status: int) -> str:
        """Say what to check."""
        if status in (401, 403):
            where = f" in {self._variable}" if self._variable else "; set api_key_env"
            return f"check the key{where}"
        return "check the endpoint and the model's name" if status == 404 else ""
