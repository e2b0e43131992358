"""One state of a collection: a catalog transaction and a lexical searcher."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from groundkit_core.analysis import Analyzer
from groundkit_core.filters import DocumentFilter
from groundkit_index.catalog import inventory, queries
from groundkit_index.catalog.records import ChunkRecord, RootRecord
from groundkit_index.lexical.searcher import LexicalSearcher

if TYPE_CHECKING:
    from groundkit_index.vectors.searcher import VectorIndex
    from groundkit_index.vectors.slab import Matrix


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a query reads; valid only while the reader runs the query.

    Attributes:
        generation: the generation of the catalog that is read.
        version: the name of the version directory.
        analyzer: the analyzer that the version was made with.
        binding: the embedder that the collection is bound to; None for a lexical collection.
    """

    generation: int
    version: str
    analyzer: Analyzer
    binding: dict[str, Any] | None
    _connection: sqlite3.Connection
    _lexical: LexicalSearcher
    _vectors: Callable[[], VectorIndex | None]

    def lexical(
        self, tokens: Sequence[str], where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, BM25 score), best first; a key may be gone from the catalog."""
        return self._lexical.search(tokens, where, limit, offset)

    def dense(
        self, vector: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine), best first; a key may be gone from the catalog."""
        index = self._vectors()
        return index.search(vector, where, limit, offset) if index else []

    def chunks(self, keys: Sequence[int]) -> dict[int, ChunkRecord]:
        """Return the chunks that the catalog holds under these keys."""
        return queries.chunks_by_key(self._connection, keys)

    def chunk(self, chunk_id: str) -> ChunkRecord | None:
        """Return a chunk by id, or None."""
        return queries.chunk_by_id(self._connection, chunk_id)

    def all_chunks(self) -> Iterator[ChunkRecord]:
        """Yield every chunk by root, source and place."""
        return queries.all_chunks(self._connection)

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
