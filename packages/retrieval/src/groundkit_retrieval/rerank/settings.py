"""How a reranker is set up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from groundkit_core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """How a reranker is set up; None leaves the choice to the provider or its model.

    Attributes:
        provider: name in the registry; empty when none is configured.
        model: the model's name; for `maxsim`, the directory of an `onnx` model.
        max_tokens: tokens of a text that `maxsim` reads [256].
        batch_items: pairs or texts in one batch [8].
        threads: cores that the model uses [all].
        cache_dir: where downloaded weights are kept [the user's cache folder].

    Raises:
        SettingsError: a number is less than 1.
    """

    provider: str
    model: str = ""
    max_tokens: int | None = None
    batch_items: int | None = None
    threads: int | None = None
    cache_dir: Path | None = None

    def __post_init__(self) -> None:
        for name in ("max_tokens", "batch_items", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingsError(f"reranker setting {name} must be at least 1, not {value}")
