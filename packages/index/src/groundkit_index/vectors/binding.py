"""The embedder that a collection is bound to, as its manifest records it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from groundkit_core.errors import EmbeddingMismatchError
from groundkit_core.model import EmbeddingIdentity
from groundkit_core.protocols import Embedder, Notice
from groundkit_index.embedders import EmbedderSettings, make_embedder


@dataclass(frozen=True, slots=True)
class Binding:
    """An identity, and the settings that make an embedder of it."""

    identity: EmbeddingIdentity
    settings: EmbedderSettings

    @classmethod
    def from_manifest(cls, value: dict[str, Any]) -> Self:
        """Return the binding that a manifest holds."""
        settings = dict(value["settings"])
        if settings.get("cache_dir") is not None:
            settings["cache_dir"] = Path(settings["cache_dir"])
        return cls(EmbeddingIdentity(**value["identity"]), EmbedderSettings(**settings))

    def to_manifest(self) -> dict[str, Any]:
        """Return the binding as JSON values."""
        settings = asdict(self.settings)
        if settings["cache_dir"] is not None:
            settings["cache_dir"] = str(settings["cache_dir"])
        return {"identity": asdict(self.identity), "settings": settings}

    def embedder(self, notice: Notice | None = None) -> Embedder:
        """Return the embedder, when it still gives vectors of this identity.

        Raises:
            EmbeddingMismatchError: the model behind the settings is another one now.
            EmbeddingError: it cannot be made or reached.
        """
        embedder = make_embedder(self.settings, notice)
        check_identity(self.identity, embedder.identity)
        return embedder


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
