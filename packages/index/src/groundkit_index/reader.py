"""Reads a collection; creates and writes nothing."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from groundkit_core.analysis import Analyzer
from groundkit_core.contracts import Tuning
from groundkit_core.errors import CorruptIndexError, IncompatibleIndexError, StorageError
from groundkit_index.catalog import queries
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.layout import CURRENT, CollectionPaths, VersionPaths
from groundkit_index.lexical.searcher import LexicalIndex
from groundkit_index.lock import hold_shared
from groundkit_index.snapshot import Snapshot
from groundkit_index.vectors.needs import need_vectors

if TYPE_CHECKING:
    from groundkit_index.vectors.searcher import VectorIndex

_T = TypeVar("_T")
_STATE = (
    "select (select value from manifest where name='generation'),"
    " (select sum(acked) from consumers)"
)


class _OpenVersion:
    """The open files of one version, closed when it is retired and no query uses it."""

    def __init__(self, paths: VersionPaths) -> None:
        self.name = paths.name
        self._held = hold_shared(paths.in_use)
        with contextlib.ExitStack() as undo:
            undo.callback(self._held.close)
            self._open(paths, undo)
            undo.pop_all()

    def _open(self, paths: VersionPaths, undo: contextlib.ExitStack) -> None:
        self.catalog = CatalogReader(paths.catalog)
        undo.callback(self.catalog.close)
        self._lexical = LexicalIndex(paths.lexical)
        undo.callback(self._lexical.close)
        self._lock = threading.Lock()
        self._taken_up: tuple[int, int] | None = None
        self._users = 0
        self._retired = False
        self._closed = False
        self._paths = paths
        self._vectors: VectorIndex | None = None
        self._bound: dict[str, Any] | None = None
        self._tuning = Tuning()
        settings = self.catalog.read(lambda c: queries.manifest_value(c, "settings"))
        self.analyzer = Analyzer(str(settings["language"]))
        if self.analyzer.fingerprint != settings["analyzer"]:
            raise IncompatibleIndexError(
                f"the collection was made with analyzer {settings['analyzer']}, this groundkit "
                f"has {self.analyzer.fingerprint}; ingest into a new collection"
            )

    def snapshot(self, connection: sqlite3.Connection) -> Snapshot:
        """Pin the catalog's state, and take up lexical commits when the state is new."""
        generation, acked = connection.execute(_STATE).fetchone()
        state = (int(generation), int(acked))
        with self._lock:
            if state != self._taken_up:
                self._lexical.reload()
                self._bound = queries.embedding(connection)
                self._tuning = queries.tuning(connection)
                self._taken_up = state
            searcher = self._lexical.searcher()
        return Snapshot(
            state[0],
            self.name,
            self._paths.snapshots,
            self.analyzer,
            self._bound,
            self._tuning,
            connection,
            searcher,
            self._vector_index,
        )

    def _vector_index(self) -> VectorIndex | None:
        with self._lock:
            if self._vectors is None and self._bound:
                need_vectors()
                from groundkit_index.vectors.searcher import VectorIndex

                self._vectors = VectorIndex(self._paths, self._bound["identity"]["dimensions"])
            return self._vectors

    def enter(self) -> bool:
        """Keep the files open for a query; False when they are closed already."""
        with self._lock:
            if self._closed:
                return False
            self._users += 1
            return True

    def leave(self) -> None:
        """End a query."""
        with self._lock:
            self._users -= 1
        self._close_if_done()

    def retire(self) -> None:
        """Close the files as soon as no query uses them."""
        with self._lock:
            self._retired = True
        self._close_if_done()

    def _close_if_done(self) -> None:
        with self._lock:
            done = self._retired and not self._users and not self._closed
            self._closed = self._closed or done
        if done:
            self.catalog.close()
            self._lexical.close()
            self._held.close()


class IndexReader:
    """A collection, open for reading; safe to share between threads and to keep open.

    A new version or generation is noticed at the next query.

    Raises:
        CollectionNotFoundError: there is no such collection.
        CorruptIndexError: what is there cannot be read.
        IncompatibleIndexError: it was made by another version.
    """

    def __init__(self, paths: CollectionPaths) -> None:
        self.paths = paths
        self._lock = threading.Lock()
        self._seen = self._look()
        self._version = _open_current(paths)

    @classmethod
    def open(cls, index_dir: str | Path, collection: str = "default") -> IndexReader:
        """Open a collection by name."""
        return cls(CollectionPaths.of(index_dir, collection))

    def _look(self) -> tuple[int, int] | None:
        try:
            status = (self.paths.folder / CURRENT).stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns

    def _live(self) -> _OpenVersion:
        seen = self._look()
        with self._lock:
            if seen != self._seen:
                fresh = _open_current(self.paths)
                self._version.retire()
                self._version, self._seen = fresh, seen
            return self._version

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer that the collection was made with."""
        return self._live().analyzer

    def read(self, work: Callable[[Snapshot], _T]) -> _T:
        """Run `work` on one state of the collection; it may run again, so no side effects."""
        while True:
            version = self._live()
            # A rebuild may have come, and another thread closed the version, since it was chosen.
            if version.enter():
                break
        try:
            return version.catalog.read(lambda connection: work(version.snapshot(connection)))
        finally:
            version.leave()

    def chunks(self) -> list[ChunkRecord]:
        """Return every chunk by root, source and place."""
        return self.read(lambda snapshot: list(snapshot.all_chunks()))

    def close(self) -> None:
        """Close the files."""
        self._version.retire()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _open_current(paths: CollectionPaths) -> _OpenVersion:
    """Open the live version, which a rebuild may replace and delete meanwhile."""
    while True:
        version = paths.current()
        try:
            return _OpenVersion(version)
        except (StorageError, OSError) as error:
            if paths.current() != version:
                continue
            if isinstance(error, StorageError):
                raise
            raise CorruptIndexError(
                f"version {version.name} of collection {paths.name!r} is incomplete; "
                "run `groundkit doctor`"
            ) from None
