"""A state of a collection, as one reader may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundkit_core.contracts import SOURCE_CLASSES, SourceClass
from groundkit_core.filters import DocumentFilter
from groundkit_index.catalog.inventory import Facts, SourceRow
from groundkit_index.catalog.records import ChunkRecord, RootRecord
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.access.visibility import Visibility
from groundkit_retrieval.relocation import Relocator
from groundkit_retrieval.verification import Verifier

if TYPE_CHECKING:
    from groundkit_core.access import Classified
    from groundkit_core.access.profiles import Asked


@dataclass(frozen=True, slots=True)
class View:
    """A snapshot behind what one reader may see; whatever answers a reader reads through it.

    Attributes:
        snapshot: the whole state; rankings take a filter of `searched`.
        relocator: finds quotes in extracted documents that have changed.
        visibility: what may be seen; None sees everything.
    """

    snapshot: Snapshot
    relocator: Relocator
    visibility: Visibility | None = None

    def searched(self, asked: Asked, project: str | None) -> DocumentFilter:
        """Return the condition on documents for what is asked."""
        if self.visibility is None:
            return DocumentFilter.of(asked, project)
        return self.visibility.searched(asked, project)

    def classes(self, asked: Asked) -> tuple[SourceClass, ...]:
        """Return the classes that are searched for what is asked."""
        if self.visibility is not None:
            return self.visibility.profile.searched(asked)
        wanted = DocumentFilter.of(asked).classes
        return tuple(name for name in SOURCE_CLASSES if name in wanted)

    def skipped(self, asked: Asked) -> dict[str, str]:
        """Return class -> why it is not searched."""
        searched = self.classes(asked)
        by_policy = {} if self.visibility is None else self.visibility.profile.skipped(asked)
        own = "searched only when named" if asked == "all" else "not asked for"
        return {name: by_policy.get(name, own) for name in SOURCE_CLASSES if name not in searched}

    def chunks(self, keys: Sequence[int]) -> dict[int, ChunkRecord]:
        """Return the chunks under these keys that may be seen."""
        held = self.snapshot.chunks(keys)
        return {key: self._as_seen(record) for key, record in held.items() if self._sees(record)}

    def chunk(self, chunk_id: str) -> ChunkRecord | None:
        """Return a chunk by id; None when there is none, or it may not be seen."""
        record = self.snapshot.chunk(chunk_id)
        return self._as_seen(record) if record is not None and self._sees(record) else None

    def all_chunks(self) -> Iterator[ChunkRecord]:
        """Yield every chunk that may be seen, by root, source and place."""
        return (self._as_seen(r) for r in self.snapshot.all_chunks() if self._sees(r))

    def roots(self) -> list[RootRecord]:
        """Return all roots; their names are shown only through `facts` and citations."""
        return self.snapshot.roots()

    def verifier(self) -> Verifier:
        """Return what checks citations; make one for each search."""
        return Verifier(self.roots(), self.snapshot.snapshots, self.relocator)

    def facts(self) -> Facts:
        """Return counts and settings, counting only what may be seen."""
        facts = self.snapshot.facts()
        if self.visibility is None:
            return facts
        where, documents, chunks = self.visibility.everything, 0, 0
        by_class: Counter[SourceClass] = Counter()
        by_root: Counter[str] = Counter()
        for row in self.snapshot.sources(where, -1, 0)[1]:
            seen = self._row(row)
            documents, chunks = documents + 1, chunks + seen.chunks
            by_class[seen.source_class] += 1
            by_root[seen.root] += 1
        return replace(
            facts,
            documents=documents,
            chunks=chunks,
            by_class=dict(sorted(by_class.items())),
            by_root=dict(sorted(by_root.items())),
            documents_digest=None,
            pending=min(facts.pending, 1),
            pending_vectors=min(facts.pending_vectors, 1),
        )

    def sources(
        self, where: DocumentFilter, limit: int, offset: int
    ) -> tuple[int, list[SourceRow]]:
        """Return how many documents match, and one page of them by root and source."""
        total, rows = self.snapshot.sources(where, limit, offset)
        return total, [self._row(row) for row in rows]

    def _sees(self, record: ChunkRecord) -> bool:
        if self.visibility is None:
            return True
        where = self.visibility.everything
        return where.allows(record.doc_key, record.source_class, record.project)

    def _as_seen(self, record: ChunkRecord) -> ChunkRecord:
        seen = self._classified(record.doc_key)
        if seen is None:
            return record
        return replace(record, source_class=seen.source_class, project=seen.project)

    def _row(self, row: SourceRow) -> SourceRow:
        seen = self._classified(row.doc_key)
        if seen is None:
            return row
        return row._replace(source_class=seen.source_class, project=seen.project)

    def _classified(self, doc_key: int) -> Classified | None:
        """Return what the policy makes of a document; None where it stays as indexed."""
        documents = self.visibility.documents if self.visibility else None
        return None if documents is None else documents[doc_key]
