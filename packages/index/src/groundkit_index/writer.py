"""Writes one version: a batch into the catalog, then into what is derived from it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

from groundkit_core.analysis import Analyzer
from groundkit_core.errors import (
    CorruptIndexError,
    EmbeddingError,
    IncompatibleIndexError,
    SettingsError,
    StorageError,
)
from groundkit_core.model import ChunkSettings
from groundkit_index.catalog.records import KnownDocument, RootRecord
from groundkit_index.catalog.schema import LEXICAL, VECTORS
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import VersionPaths
from groundkit_index.lexical.entry import LexicalEntry, entry_of
from groundkit_index.lexical.writer import LexicalWriter, create_lexical
from groundkit_index.prepared import PreparedDocument
from groundkit_index.vectors.needs import need_vectors

if TYPE_CHECKING:
    from groundkit_index.vectors.feed import VectorFeed

_DRAIN_ROWS = 4_000


class VersionWriter:
    """A version, open for the one writer; opening it heals what a crash left undone.

    The caller holds the collection's writer lock.

    Args:
        version: the version that is written.
        embed: whether new chunks are embedded when the collection has vectors.
        older: a version under the same embedder, to copy vectors from.

    Attributes:
        notes: one line each on what could not be done.

    Raises:
        IncompatibleIndexError: the version was made with another analyzer.
        CorruptIndexError: the catalog is damaged.
    """

    def __init__(
        self, version: VersionPaths, *, embed: bool = True, older: VersionPaths | None = None
    ) -> None:
        self.version = version
        self.notes: list[str] = []
        self._embed = embed
        self._older = older
        self._feed: VectorFeed | None = None
        self._entries: dict[int, LexicalEntry] = {}
        with contextlib.ExitStack() as stack:
            self.catalog = CatalogWriter(version.catalog)
            stack.callback(self.catalog.close)
            self._analyzer = _analyzer(self.catalog.settings)
            self._lexical = self._open_lexical()
            stack.callback(lambda: self._lexical.close())
            self.drain()
            stack.callback(self._finish_vectors)
            self._stack = stack.pop_all()

    def _open_lexical(self) -> LexicalWriter:
        try:
            return LexicalWriter(self.version.lexical, self._analyzer)
        except CorruptIndexError:
            return self._new_lexical()

    def _new_lexical(self) -> LexicalWriter:
        # Offered before the empty index is there: a crash in between finds neither.
        self.catalog.outbox.offer_all(LEXICAL)
        create_lexical(self.version.lexical)
        return LexicalWriter(self.version.lexical, self._analyzer)

    @property
    def chunking(self) -> ChunkSettings:
        """The chunk sizes that the collection was made with."""
        fixed = self.catalog.settings
        return ChunkSettings(
            int(fixed["chunk_target"]), int(fixed["chunk_cap"]), int(fixed["chunk_overlap"])
        )

    @contextlib.contextmanager
    def batch(self) -> Iterator[CatalogWriter]:
        """One transaction of the catalog, then the derived indexes take it up."""
        self._entries.clear()
        with self.catalog.batch():
            yield self.catalog
        self.drain()

    def put_document(
        self, root: RootRecord, document: PreparedDocument, known: KnownDocument | None
    ) -> None:
        """Add or replace a document in the open batch."""
        for entry in self.catalog.put_document(root, document, known):
            self._entries[entry.chunk_key] = entry

    def drain(self) -> None:
        """Bring the lexical index in step with the catalog; applying a change twice is harmless."""
        try:
            self._drain_lexical()
        except CorruptIndexError:
            self._lexical.abandon()
            self._lexical = self._new_lexical()
            self._drain_lexical()
        except sqlite3.Error as error:
            raise StorageError(
                f"the catalog cannot be written ({error}); ingest again to go on"
            ) from error
        self._entries.clear()
        if self._embed and self.catalog.outbox.has(VECTORS):
            self._drain_vectors()

    def _drain_lexical(self) -> None:
        while rows := self.catalog.outbox.pending(LEXICAL, _DRAIN_ROWS):
            last = {key: op for _, op, key in rows}
            self._lexical.delete(list(last))
            put = [key for key, op in last.items() if op == "put"]
            self._lexical.add(self._entries_of(put))
            self._lexical.commit()
            self.catalog.outbox.acknowledge(LEXICAL, rows[-1][0])

    def _drain_vectors(self) -> None:
        """Embed what is new. When that fails, the words are indexed and the vectors wait."""
        try:
            if self._feed is None and self.catalog.outbox.count(VECTORS):
                self._feed = self._open_feed()
            if self._feed is not None:
                self._feed.drain(self.catalog)
        except (EmbeddingError, SettingsError, StorageError) as error:
            self._embed = False
            waiting = self.catalog.outbox.count(VECTORS)
            self.notes.append(
                f"{waiting} changes wait for their vectors ({error}); "
                "run `groundkit embed` when that is mended"
            )

    def _open_feed(self) -> VectorFeed:
        need_vectors()
        from groundkit_index.vectors.binding import Binding
        from groundkit_index.vectors.deferred import DeferredEmbedder
        from groundkit_index.vectors.feed import VectorFeed
        from groundkit_index.vectors.slab import Slab

        binding = Binding.from_manifest(self.catalog.embedding or {})
        older = None
        if self._older and self._older.slab.exists():
            with contextlib.suppress(CorruptIndexError):
                older = Slab.open(self._older.slab)
        return VectorFeed(self.version, DeferredEmbedder(binding), older)

    def _finish_vectors(self) -> None:
        if self._feed is not None:
            # What cannot be compacted now is compacted by the next run.
            with contextlib.suppress(StorageError):
                self._feed.finish()

    def _entries_of(self, keys: list[int]) -> Iterator[LexicalEntry]:
        """Yield entries: those of this batch are at hand, the others come from the catalog."""
        yield from (self._entries[key] for key in keys if key in self._entries)
        others = [key for key in keys if key not in self._entries]
        for record in self.catalog.chunks(others).values():
            yield entry_of(record, self._analyzer)

    def close(self) -> None:
        """Close the indexes."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _analyzer(settings: dict[str, str | int]) -> Analyzer:
    analyzer = Analyzer(str(settings["language"]))
    if analyzer.fingerprint != settings["analyzer"]:
        raise IncompatibleIndexError(
            f"the collection was made with analyzer {settings['analyzer']}, this groundkit has "
            f"{analyzer.fingerprint}; run `groundkit rebuild`"
        )
    return analyzer
