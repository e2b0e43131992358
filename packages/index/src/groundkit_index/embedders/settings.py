"""How an embedder is set up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from groundkit_core.errors import SettingsError

Pooling = Literal["mean", "cls"]

_COUNTS = ("dimensions", "max_tokens", "max_chars", "batch_items", "batch_chars", "threads")


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """How an embedder is set up; None leaves the choice to the provider or its model.

    Attributes:
        provider: name in the registry.
        model: the model's name; for `onnx`, the directory that holds it.
        endpoint: address of `ollama` or `openai`; HTTPS, or HTTP to this machine.
        api_key_env: name of the environment variable that holds the key of `openai`.
        dimensions: length of a vector; asked of remote providers and checked in every answer.
        pooling: how `onnx` makes one vector of many [mean].
        normalize: scale vectors to unit length [true].
        query_prefix: put before a query.
        document_prefix: put before a passage.
        max_tokens: tokens of a text that `onnx` reads [256].
        max_chars: code points of a text that are sent to a remote provider [8000].
        batch_items: texts in one batch [8 in this process, 32 remote].
        batch_chars: code points in one remote request [32000].
        threads: cores that a model in this process uses [all].
        timeout: seconds that one remote request may take.
        cache_dir: where downloaded weights are kept [the user's cache folder].

    Raises:
        SettingsError: a value is out of range.
    """

    provider: str
    model: str = ""
    endpoint: str = ""
    api_key_env: str = ""
    dimensions: int | None = None
    pooling: Pooling | None = None
    normalize: bool | None = None
    query_prefix: str | None = None
    document_prefix: str | None = None
    max_tokens: int | None = None
    max_chars: int | None = None
    batch_items: int | None = None
    batch_chars: int | None = None
    threads: int | None = None
    timeout: float = 30.0
    cache_dir: Path | None = None

    def __post_init__(self) -> None:
        for name in _COUNTS:
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingsError(f"embedder setting {name} must be at least 1, not {value}")
        if not (math.isfinite(self.timeout) and self.timeout > 0):
            raise SettingsError("embedder setting timeout must be a positive number of seconds")
        if self.pooling is not None and self.pooling not in get_args(Pooling):
            raise SettingsError(f"embedder setting pooling must be mean or cls: {self.pooling!r}")
