"""One state of a collection: a catalog transaction and a lexical searcher."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundkit_core.analysis import Analyzer
from groundkit_core.contracts import Tuning
from groundkit_core.errors import CorruptIndexError, SettingsError
from groundkit_core.filters import DocumentFilter
from groundkit_index.catalog import inventory, queries
from groundkit_index.catalog.records import ChunkRecord, LabelledDocument, RootRecord
from groundkit_index.lexical.searcher import LexicalSearcher
from groundkit_index.vectors.damage import UNREADABLE, reading

if TYPE_CHECKING:
    from groundkit_index.vectors.searcher import VectorIndex
    from groundkit_index.vectors.slab import Matrix


_MOST_COSINE = 1.001


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a query reads; valid only while the reader runs the query.

    Attributes:
        generation: the generation of the catalog that is read.
        version: the name of the version directory.
        snapshots: the folder of what was fetched.
        analyzer: the analyzer that the version was made with.
        binding: the embedder that the collection is bound to; None for a lexical collection.
        tuning: how the collection is ranked and gated, over the defaults.
    """

    generation: int
    version: str
    snapshots: Path
    analyzer: Analyzer
    binding: dict[str, Any] | None
    tuning: Tuning
    _connection: sqlite3.Connection
    _lexical: LexicalSearcher
    _vectors: Callable[[], VectorIndex | None]

    def lexical(
        self, tokens: Sequence[str], where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, BM25 score), best first; a key may be gone from the catalog."""
        return self._lexical.search(tokens, where, limit, offset)

    def idf(self, tokens: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each token."""
        return self._lexical.idf(tokens)

    def highest_idf(self) -> float:
        """Return the inverse document frequency of a token that no chunk has."""
        return self._lexical.highest_idf()

    def coverage(self, keys: Sequence[int], idf: Mapping[str, float]) -> float:
        """Return the largest sum of idf of the tokens that one of these chunks holds."""
        return self._lexical.coverage(keys, idf)

    def dense(
        self, vector: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine), best first; a key may be gone from the catalog.

        Raises:
            CorruptIndexError: the vectors are gone, or damaged so that they cannot be compared.
        """
        index = self._vectors()
        if index is None:
            return []
        with reading():
            hits = index.search(vector, where, limit, offset)
            gone = not hits and index.absent
        if gone and self._expects_vectors():
            raise CorruptIndexError(UNREADABLE)
        if not all(abs(score) <= self._most for _, score in hits):
            raise CorruptIndexError(UNREADABLE)
        return hits

    @property
    def _most(self) -> float:
        """The largest score that sound vectors can have."""
        bound = self.binding or {}
        return _MOST_COSINE if bound["identity"].get("normalized", True) else sys.float_info.max

    def _expects_vectors(self) -> bool:
        """Return whether chunks have been embedded, by what the outbox says."""
        facts = self.facts()
        return facts.chunks > 0 and facts.pending_vectors == 0

    def vectors(self) -> int | None:
        """Return how many chunks have a vector; None when the vectors cannot be read."""
        with contextlib.suppress(CorruptIndexError, SettingsError):
            index = self._vectors()
            return index.count if index else 0
        return None

    def chunks(self, keys: Sequence[int]) -> dict[int, ChunkRecord]:
        """Return the chunks that the catalog holds under these keys."""
        return queries.chunks_by_key(self._connection, keys)

    def chunk(self, chunk_id: str) -> ChunkRecord | None:
        """Return a chunk by id, or None."""
        return queries.chunk_by_id(self._connection, chunk_id)

    def text(self, doc_key: int) -> str | None:
        """Return the extracted text of a document; None for one that is text itself."""
        return queries.document_text(self._connection, doc_key)

    def all_chunks(self) -> Iterator[ChunkRecord]:
        """Yield every chunk by root, source and place."""
        return queries.all_chunks(self._connection)

    def labelled_documents(self) -> list[LabelledDocument]:
        """Return what access to each document is decided by."""
        return queries.labelled_documents(self._connection)

    def declares_access(self) -> bool:
        """Return whether some document's front matter says something about access."""
        return queries.declares_access(self._connection)

    def roots(self) -> list[RootRecord]:
        """Return the registered roots."""
        return queries.roots(self._connection)

    def facts(self) -> inventory.Facts:
        """Return counts and settings for a status report."""
        return inventory.facts(self._connection)

    def sources(
        self, where: DocumentFilter, limit: int, offset: int
    ) -> tuple[int, list[inventory.SourceRow]]:
        """Return how many documents match, and one page of them by root and source."""
        return inventory.sources(self._connection, where, limit, offset)
