"""The embedder that a collection is bound to, as its manifest records it."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from groundkit_core.errors import (
    CorruptIndexError,
    EmbeddingError,
    EmbeddingMismatchError,
    SettingsError,
)
from groundkit_core.model import EmbeddingIdentity
from groundkit_core.protocols import Embedder, Notice
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedders.remote.endpoint import is_on_this_machine

ENDPOINT_VARIABLE = "GROUNDKIT_EMBEDDER_ENDPOINT"
KEY_VARIABLE = "GROUNDKIT_EMBEDDER_KEY_ENV"
_FROM_FOLDER = "onnx"


@dataclass(frozen=True, slots=True)
class Binding:
    """An identity, and the settings that make an embedder of it."""

    identity: EmbeddingIdentity
    settings: EmbedderSettings

    @classmethod
    def from_manifest(cls, value: dict[str, Any]) -> Self:
        """Return the binding that a manifest holds.

        Raises:
            CorruptIndexError: it is damaged.
        """
        try:
            settings = dict(value["settings"])
            if settings.get("cache_dir") is not None:
                settings["cache_dir"] = Path(settings["cache_dir"])
            return cls(EmbeddingIdentity(**value["identity"]), EmbedderSettings(**settings))
        except (KeyError, TypeError, ValueError, SettingsError):
            raise CorruptIndexError(
                "the manifest's embedding is damaged; restore the index"
            ) from None

    def to_manifest(self) -> dict[str, Any]:
        """Return the binding as JSON values; where a key is found is never recorded."""
        settings = {**asdict(self.settings), "api_key_env": ""}
        if self.settings.provider == _FROM_FOLDER and self.settings.model:
            settings["model"] = str(Path(self.settings.model).expanduser().absolute())
        if settings["cache_dir"] is not None:
            settings["cache_dir"] = str(settings["cache_dir"])
        return {"identity": asdict(self.identity), "settings": settings}

    def embedder(self, notice: Notice | None = None) -> Embedder:
        """Return the embedder, when it still gives vectors of this identity.

        Raises:
            EmbeddingMismatchError: the model behind the settings is another one now.
            EmbeddingError: it cannot be made or reached.
        """
        embedder = make_embedder(_trusted(self.settings), notice)
        try:
            check_identity(self.identity, embedder.identity)
        except BaseException:
            embedder.close()
            raise
        return embedder


def _trusted(settings: EmbedderSettings) -> EmbedderSettings:
    """Return settings that may be used though they came with an index, which may be anybody's.

    A server elsewhere is asked only when the person who runs this names it, and a key is sent
    only to a server that is named so, from the variable that is named along with it.
    """
    named = os.environ.get(ENDPOINT_VARIABLE, "").rstrip("/")
    if settings.endpoint and named == settings.endpoint.rstrip("/"):
        return replace(settings, api_key_env=os.environ.get(KEY_VARIABLE, ""))
    if settings.endpoint and not is_on_this_machine(settings.endpoint):
        raise EmbeddingError(
            f"the vectors were made by a server on another machine; set {ENDPOINT_VARIABLE} to "
            f"its address, and {KEY_VARIABLE} to the variable that holds its key"
        )
    return replace(settings, api_key_env="")


def check_identity(bound: EmbeddingIdentity, found: EmbeddingIdentity) -> None:
    """Raise EmbeddingMismatchError unless two identities are the same."""
    if bound == found:
        return
    pairs = zip(asdict(bound).items(), asdict(found).items(), strict=True)
    name, before, now = next((k, a, b) for (k, a), (_, b) in pairs if a != b)
    raise EmbeddingMismatchError(
        f"the collection's vectors were made with {name} {before!r}, not {now!r}; run "
        "`groundkit rebuild --embedder ...` to replace them, or use a second collection"
    )
