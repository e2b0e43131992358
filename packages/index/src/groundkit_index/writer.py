"""The one writer of a collection: a batch into the catalog, then into what is derived."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from groundkit_core.analysis import Analyzer
from groundkit_core.errors import CollectionNotFoundError, IncompatibleIndexError
from groundkit_core.model import ChunkSettings
from groundkit_core.protocols import Notice
from groundkit_index.catalog.schema import LEXICAL
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import CollectionPaths, VersionPaths, sync_folder
from groundkit_index.lexical.writer import LexicalWriter
from groundkit_index.lock import writer_lock

_DRAIN_ROWS = 4_000
_FIRST_VERSION = "v000001"


class IndexWriter:
    """Holds the writer lock of a collection; opening it heals what a crash left undone.

    Args:
        paths: the collection; made when absent.
        language: language of the analyzer, for a new collection or to be checked.
        chunking: chunk sizes, for a new collection.
        wait: seconds to wait for another writer.
        notice: told when there is something to wait for.

    Raises:
        CollectionBusyError: another writer did not finish in time.
        IncompatibleIndexError: the collection was made with another analyzer.
    """

    def __init__(
        self,
        paths: CollectionPaths,
        *,
        language: str = "english",
        chunking: ChunkSettings | None = None,
        wait: float = 60.0,
        notice: Notice | None = None,
    ) -> None:
        self._paths = paths
        with contextlib.ExitStack() as stack:
            _make_folder(paths)
            stack.enter_context(writer_lock(paths.lock, wait=wait, notice=notice))
            version = _current_or_new(paths, language, chunking or ChunkSettings())
            self.catalog = CatalogWriter(version.catalog)
            stack.callback(self.catalog.close)
            analyzer = _checked_analyzer(self.catalog.settings)
            self._lexical = LexicalWriter(version.lexical, analyzer)
            stack.callback(self._lexical.close)
            if self._lexical.fresh:
                self.catalog.enqueue_all()
            self.drain()
            self._stack = stack.pop_all()

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
        with self.catalog.batch():
            yield self.catalog
        self.drain()

    def drain(self) -> None:
        """Bring the lexical index in step with the catalog; applying a change twice is harmless."""
        while rows := self.catalog.pending(LEXICAL, _DRAIN_ROWS):
            last = {key: op for _, op, key in rows}
            self._lexical.delete(list(last))
            put = [key for key, op in last.items() if op == "put"]
            self._lexical.add(self.catalog.chunks(put).values())
            self._lexical.commit()
            self._lexical.fresh = False
            self.catalog.acknowledge(LEXICAL, rows[-1][0])

    def close(self) -> None:
        """Close the indexes and free the lock."""
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


def _make_folder(paths: CollectionPaths) -> None:
    if not paths.index_dir.exists():
        paths.index_dir.mkdir(parents=True, mode=0o700)
        (paths.index_dir / ".gitignore").write_text("*\n", encoding="ascii")
    paths.folder.mkdir(exist_ok=True, mode=0o700)


def _current_or_new(paths: CollectionPaths, language: str, chunking: ChunkSettings) -> VersionPaths:
    try:
        return paths.current()
    except CollectionNotFoundError:
        pass
    version = paths.version(_FIRST_VERSION)
    shutil.rmtree(version.folder, ignore_errors=True)
    version.folder.mkdir(mode=0o700)
    analyzer = Analyzer(language)
    settings: dict[str, str | int] = {
        "analyzer": analyzer.fingerprint,
        "language": analyzer.language,
        "chunk_target": chunking.target,
        "chunk_cap": chunking.cap,
        "chunk_overlap": chunking.overlap,
    }
    CatalogWriter.create(version.catalog, settings).close()
    sync_folder(version.folder)
    paths.set_current(version)
    return version


def _checked_analyzer(settings: dict[str, str | int]) -> Analyzer:
    analyzer = Analyzer(str(settings["language"]))
    if analyzer.fingerprint != settings["analyzer"]:
        raise IncompatibleIndexError(
            f"the collection was made with analyzer {settings['analyzer']}, this groundkit has "
            f"{analyzer.fingerprint}; ingest into a new collection"
        )
    return analyzer
