"""Reports on a collection, of what a reader may see."""

from __future__ import annotations

from groundkit_core.contracts import CollectionStatus, RootStatus, SourceEntry
from groundkit_index.catalog.inventory import SourceRow
from groundkit_index.origins import is_reachable
from groundkit_retrieval.access import View
from groundkit_retrieval.embedded import embedding_status


def status_of(view: View, collection: str, size_bytes: int) -> CollectionStatus:
    """Return counts, settings, embedding, roots and size.

    Where a policy is in force only what may be seen is counted, and what would tell of the rest
    is left out: vectors, the digest over all documents, the size on disk.
    """
    snapshot, facts, whole = view.snapshot, view.facts(), view.visibility is None
    embedding = embedding_status(snapshot, facts.pending_vectors)
    if embedding is not None and not whole:
        embedding = embedding.model_copy(update={"vectors": None})
    return CollectionStatus(
        collection=collection,
        version=snapshot.version,
        generation=snapshot.generation,
        documents=facts.documents,
        chunks=facts.chunks,
        documents_by_class=facts.by_class,
        roots=tuple(
            RootStatus(
                name=root.name,
                documents=facts.by_root[root.name],
                reachable=is_reachable(root.path, snapshot.snapshots),
            )
            for root in view.roots()
            if root.name in facts.by_root
        ),
        settings=facts.settings,
        embedding=embedding,
        documents_digest=facts.documents_digest,
        allowed_secrets=facts.allowed_secrets if whole else (),
        pending=facts.pending,
        size_bytes=size_bytes if whole else None,
        created_at=facts.created_at,
        updated_at=facts.updated_at,
    )


def source_entry(row: SourceRow) -> SourceEntry:
    """Return a document as listings show it."""
    values = row._asdict()
    del values["doc_key"]
    return SourceEntry(**values)
