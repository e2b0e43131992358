"""Weights that fastembed downloads: said before, kept in one place, one line when it fails."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_core.protocols import Notice
from groundkit_index.embedders.caches import weights_folder
from groundkit_index.embedders.extras import require

_LOCAL = "groundkit-index[local]"


@dataclass(frozen=True, slots=True)
class Download:
    """What a model's weights are and where they go.

    Attributes:
        name: the model's name.
        repository: where it is published on Hugging Face; empty when it is not.
        megabytes: about how much is downloaded.
        folder: where it is kept.
    """

    name: str
    repository: str
    megabytes: int
    folder: Path

    @classmethod
    def of(cls, family: Any, name: str, cache_dir: Path | None) -> Download:
        """Look a model up among those that a fastembed class knows.

        Raises:
            SettingsError: it is not among them.
        """
        for known in family.list_supported_models():
            if known["model"].lower() == name.lower():
                return cls(
                    name=known["model"],
                    repository=known["sources"].get("hf") or "",
                    megabytes=max(1, round(known["size_in_GB"] * 1000)),
                    folder=weights_folder(cache_dir),
                )
        raise SettingsError(
            f"fastembed has no model {name!r} of this kind; its documentation lists them, "
            "and a model in a directory can be used with the onnx embedder"
        )

    def revision(self) -> str:
        """Return the first digits of the commit whose weights are kept; empty if unknown."""
        if not self.repository:
            return ""
        reference = self.folder / f"models--{self.repository.replace('/', '--')}" / "refs" / "main"
        try:
            return reference.read_text(encoding="ascii").strip()[:16]
        except (OSError, UnicodeDecodeError):
            return ""


def load(make: Callable[..., Any], download: Download, threads: int, notice: Notice) -> Any:
    """Load a model from the kept weights, or download them after saying so.

    Args:
        make: the fastembed class, given its options by name.
        download: the weights.
        threads: cores that the model uses.
        notice: told what is downloaded.

    Raises:
        EmbeddingError: the weights are neither kept nor to be had.
    """
    options: dict[str, Any] = {"cache_dir": str(download.folder), "threads": threads}
    with _quiet():
        with contextlib.suppress(Exception):
            return make(local_files_only=True, **options)
        notice(
            f"downloading {download.name} (about {download.megabytes} MB, once) from "
            f"Hugging Face to {download.folder}"
        )
        try:
            return make(**options)
        except Exception as error:
            raise EmbeddingError(
                f"the weights of {download.name} are not in {download.folder} and could not be "
                "downloaded; connect to the internet once, or use the onnx embedder with a "
                "local directory"
            ) from error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep fastembed's log off the terminal, and progress bars off anything else."""
    logger = require("loguru", _LOCAL).logger
    logger.disable("fastembed")
    hub = require("huggingface_hub.utils", _LOCAL)
    if not sys.stderr.isatty():
        hub.disable_progress_bars()
    try:
        yield
    finally:
        logger.enable("fastembed")
