"""Checks of the lexical index against the catalog, in both directions."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator

from groundkit_core.errors import StorageError
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.doctor.check import Check, checked
from groundkit_index.layout import VersionPaths
from groundkit_index.lexical import integrity

_NAME = "lexical index"
_TRIES = 20
_MOMENT_SECONDS = 0.2


def check_lexical(version: VersionPaths) -> Check:
    """Check the files' checksums, and that index and catalog hold the same chunks.

    What a writer changes meanwhile is no fault: the check is made again until it saw one state.
    """
    for _ in range(_TRIES):
        try:
            with contextlib.closing(CatalogReader(version.catalog)) as reader:
                before = reader.read(_state)
                faults = list(_faults(version, reader))
                if not faults or reader.read(_state) == before:
                    return checked(_NAME, faults, derived=True)
        except (StorageError, OSError, ValueError) as error:
            faults = [str(error)]
            if _unchanged(version):
                return checked(_NAME, faults, derived=True)
    return checked(_NAME, (), derived=True)


def _state(connection: sqlite3.Connection) -> tuple[object, ...]:
    query = "select (select value from manifest where name='generation'), sum(acked) from consumers"
    row = connection.execute(query).fetchone()
    return tuple(row)


def _unchanged(version: VersionPaths) -> bool:
    """Return whether the catalog stays as it is for a moment."""
    try:
        with contextlib.closing(CatalogReader(version.catalog)) as reader:
            before = reader.read(_state)
            time.sleep(_MOMENT_SECONDS)
            return reader.read(_state) == before
    except StorageError:
        return True


def _faults(version: VersionPaths, reader: CatalogReader) -> Iterator[str]:
    damaged = list(integrity.damaged_files(version.lexical))
    yield from (f"file {name} is damaged" for name in damaged)
    if damaged:
        return
    held, waiting = reader.read(
        lambda connection: (
            {key for (key,) in connection.execute("select chunk_key from chunks")},
            {key for (key,) in connection.execute("select chunk_key from outbox")},
        )
    )
    indexed = integrity.keys(version.lexical, max(held, default=0))
    yield from (f"chunk {key} is not indexed" for key in sorted(held - indexed - waiting))
    yield from (f"chunk {key} is indexed but gone" for key in sorted(indexed - held - waiting))
