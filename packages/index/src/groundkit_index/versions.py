"""Makes versions of a collection, opens the live one for writing, and drops old ones."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator

from groundkit_core.analysis import Analyzer
from groundkit_core.errors import (
    CollectionNotFoundError,
    IncompatibleIndexError,
    StorageError,
)
from groundkit_core.model import ChunkSettings
from groundkit_core.protocols import Notice
from groundkit_index.catalog.connection import create_database
from groundkit_index.layout import CollectionPaths, VersionPaths, sync_folder
from groundkit_index.lexical.writer import create_lexical
from groundkit_index.lock import try_exclusive, writer_lock
from groundkit_index.writer import VersionWriter

Settings = dict[str, str | int]


def fixed_settings(language: str | None, chunking: ChunkSettings | None) -> Settings:
    """Return what a new version is made with; None takes the defaults."""
    analyzer = Analyzer(language or "english")
    sizes = chunking or ChunkSettings()
    return {
        "analyzer": analyzer.fingerprint,
        "language": analyzer.language,
        "chunk_target": sizes.target,
        "chunk_cap": sizes.cap,
        "chunk_overlap": sizes.overlap,
    }


def create_version(version: VersionPaths, settings: Settings, *, generation: int = 0) -> None:
    """Make an empty version; what a crash left at its place is removed first."""
    shutil.rmtree(version.folder, ignore_errors=True)
    version.folder.mkdir(mode=0o700)
    version.in_use.touch()
    create_database(version.catalog, settings, generation=generation)
    create_lexical(version.lexical)
    sync_folder(version.folder)


@contextlib.contextmanager
def writing(
    paths: CollectionPaths,
    *,
    language: str | None = None,
    chunking: ChunkSettings | None = None,
    wait: float = 60.0,
    notice: Notice | None = None,
    embed: bool = True,
) -> Iterator[VersionWriter]:
    """Hold the writer lock and yield the live version, open for writing.

    Args:
        paths: the collection; made when absent.
        language: language of the analyzer; must agree with an existing collection's.
        chunking: chunk sizes; must agree with an existing collection's.
        wait: seconds to wait for another writer.
        notice: told when there is something to wait for.
        embed: whether new chunks are embedded when the collection has vectors.

    Raises:
        CollectionBusyError: another writer did not finish in time.
        IncompatibleIndexError: the collection was made with other settings.
    """
    _make_folder(paths)
    with writer_lock(paths.lock, wait=wait, notice=notice):
        try:
            version, is_new = paths.current(), False
        except CollectionNotFoundError:
            version, is_new = paths.next_version(), True
            create_version(version, fixed_settings(language, chunking))
        with VersionWriter(version, embed=embed) as writer:
            if is_new:
                paths.set_current(version)
            paths.new_current.unlink(missing_ok=True)
            prune(paths, keep=version)
            _check_settings(writer, language, chunking)
            yield writer


def prune(paths: CollectionPaths, keep: VersionPaths) -> list[str]:
    """Delete versions that are not live and that no reader holds; return their names."""
    gone = []
    for version in paths.versions():
        if version.name == keep.name:
            continue
        with try_exclusive(version.in_use) as free:
            if free:
                shutil.rmtree(version.folder, ignore_errors=True)
                gone.append(version.name)
    return gone


def _make_folder(paths: CollectionPaths) -> None:
    try:
        if not paths.index_dir.exists():
            paths.index_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            (paths.index_dir / ".gitignore").write_text("*\n", encoding="ascii")
        paths.folder.mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise StorageError(
            f"the index directory cannot be made ({error.strerror}); choose another --index-dir"
        ) from error


def _check_settings(
    writer: VersionWriter, language: str | None, chunking: ChunkSettings | None
) -> None:
    fixed = writer.catalog.settings
    asked = fixed_settings(language or str(fixed["language"]), chunking or writer.chunking)
    for name in ("language", "chunk_target", "chunk_cap", "chunk_overlap"):
        value = asked[name]
        if fixed[name] != value:
            flag = name.replace("_", "-")
            raise IncompatibleIndexError(
                f"the collection was made with {name} {fixed[name]}, not {value}; "
                f"run `groundkit rebuild --{flag} {value}` or leave the setting out"
            )
