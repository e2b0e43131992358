"""What is known about a collection, and what an ingest did to it."""

from __future__ import annotations

from pydantic import Field

from groundkit_core.contracts.base import Contract, SourceClass


class DocumentCounts(Contract):
    """What an ingest did to how many documents; `moved` ones are not counted as updated."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    refused: int = 0
    moved: int = 0


class Refusal(Contract):
    """A file that was not indexed: its path below the root, and why."""

    source: str
    reason: str


class IngestReport(Contract):
    """What an ingest did.

    Attributes:
        generation: the catalog's generation afterwards; it steps with every batch that changed it.
        chunks: chunks in the collection afterwards.
        refusals: files that could not be indexed, with the reason.
        skipped: files and folders that were passed over by rule, counted by reason.
        notes: one line each on what else was noticed.
        seconds: wall time.
        interrupted: true when the run was stopped early; what it reports is done.
    """

    collection: str
    generation: int
    documents: DocumentCounts
    chunks: int
    refusals: tuple[Refusal, ...] = ()
    skipped: dict[str, int] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float
    interrupted: bool = False


class CollectionSummary(Contract):
    """One line of the inventory."""

    name: str
    documents: int
    chunks: int
    generation: int


class CollectionList(Contract):
    """The collections of an index directory, by name."""

    collections: tuple[CollectionSummary, ...] = ()


class SourceEntry(Contract):
    """One document of a collection."""

    document_id: str
    root: str
    source: str
    source_class: SourceClass
    project: str
    title: str
    chunks: int


class SourceList(Contract):
    """A page of the documents of a collection, by root and source.

    Attributes:
        total: documents that match, on all pages.
        next_offset: where the next page starts; None on the last.
    """

    collection: str
    generation: int
    total: int
    sources: tuple[SourceEntry, ...] = ()
    next_offset: int | None = None


class RootStatus(Contract):
    """A registered root by name, never by its absolute path.

    Attributes:
        reachable: whether the folder can be found now.
    """

    name: str
    documents: int
    reachable: bool


class EmbeddingStatus(Contract):
    """The embedder that a collection is bound to, and how far its vectors are.

    Attributes:
        provider: name in the registry of embedders, such as `onnx`.
        model: the model's name.
        revision: digest or version of the weights; empty when the provider does not tell.
        dimensions: length of a vector.
        vectors: vectors of chunks; None when they cannot be read.
        pending: changes that wait for their vectors.
    """

    provider: str
    model: str
    revision: str
    dimensions: int
    vectors: int | None
    pending: int


class CollectionStatus(Contract):
    """The state of a collection.

    Attributes:
        version: the live version directory, such as `v000001`.
        documents_by_class: documents of each source class.
        settings: what was fixed when the collection was made (analyzer, language, chunker).
        embedding: the embedder and its vectors; None for a lexical collection.
        documents_digest: a digest over all documents, equal in two copies of one collection;
            None where a policy may hide some of them.
        allowed_secrets: guard rules that do not refuse a file.
        pending: changes that the derived indexes have not taken up yet.
        size_bytes: bytes on disk; None where a policy may hide some documents.
        created_at: time of creation, ISO 8601, UTC.
        updated_at: time of the last change, ISO 8601, UTC.
    """

    collection: str
    version: str
    generation: int
    documents: int
    chunks: int
    documents_by_class: dict[SourceClass, int]
    roots: tuple[RootStatus, ...]
    settings: dict[str, str | int]
    embedding: EmbeddingStatus | None = None
    documents_digest: str | None
    allowed_secrets: tuple[str, ...] = ()
    pending: int
    size_bytes: int | None
    created_at: str
    updated_at: str


class RemovalReport(Contract):
    """What a removal did; `chunks` are those that are left."""

    collection: str
    generation: int
    removed: int
    chunks: int


class Examination(Contract):
    """One check of a collection; `faults` has one line a fault."""

    name: str
    ok: bool
    faults: tuple[str, ...] = ()
    repaired: bool = False


class DoctorReport(Contract):
    """What the checks of a collection found.

    Attributes:
        notes: one line each on what is no fault and still to be done.
    """

    collection: str
    version: str
    healthy: bool
    checks: tuple[Examination, ...]
    notes: tuple[str, ...] = ()


class EmbedReport(Contract):
    """What an embedding run did.

    Attributes:
        embedded: texts that were embedded; those embedded before are copied.
        vectors: vectors of chunks afterwards.
        pending: changes that still wait for their vectors.
        seconds: wall time.
        interrupted: true when the run was stopped early; the next one goes on from there.
    """

    collection: str
    generation: int
    provider: str
    model: str
    dimensions: int
    embedded: int
    vectors: int
    pending: int
    seconds: float
    interrupted: bool = False
