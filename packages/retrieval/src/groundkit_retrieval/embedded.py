"""What a status report says of a collection's vectors."""

from __future__ import annotations

from groundkit_core.contracts import EmbeddingStatus
from groundkit_index.snapshot import Snapshot


def embedding_status(snapshot: Snapshot, pending: int) -> EmbeddingStatus | None:
    """Return the embedder and its vectors; None for a lexical collection.

    Args:
        snapshot: the state of the collection.
        pending: changes that wait for their vectors.
    """
    if snapshot.binding is None:
        return None
    identity = snapshot.binding["identity"]
    return EmbeddingStatus(
        provider=identity["provider"],
        model=identity["model"],
        revision=identity["revision"],
        dimensions=identity["dimensions"],
        vectors=snapshot.vectors(),
        pending=pending,
    )
