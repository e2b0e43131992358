"""Runs the check of a derived index until it saw one state."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from groundkit_core.errors import StorageError
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.doctor.check import Check, checked
from groundkit_index.layout import VersionPaths

_TRIES = 20
_MOMENT_SECONDS = 0.2
_STATE = "select (select value from manifest where name='generation'), sum(acked) from consumers"


def steady_check(
    name: str,
    version: VersionPaths,
    find: Callable[[CatalogReader], Iterable[str]],
    written: Path | None = None,
) -> Check:
    """Return the faults of a derived index; what a writer changes meanwhile is no fault.

    Args:
        name: what is checked.
        version: the version that is checked.
        find: returns the faults; it is called again until catalog and index stood still.
        written: a file that every commit of the index replaces.
    """
    faults: list[str] = []
    for _ in range(_TRIES):
        try:
            with contextlib.closing(CatalogReader(version.catalog)) as reader:
                before = _state(reader, written)
                faults = list(find(reader))
                if not faults or _state(reader, written) == before:
                    return checked(name, faults, derived=True)
        except (StorageError, OSError, ValueError) as error:
            faults = [str(error)]
            if _unchanged(version, written):
                return checked(name, faults, derived=True)
    return checked(name, (), derived=True)


def _state(reader: CatalogReader, written: Path | None) -> tuple[object, ...]:
    def work(connection: sqlite3.Connection) -> tuple[object, ...]:
        return tuple(connection.execute(_STATE).fetchone())

    return (*reader.read(work), _stamp(written))


def _stamp(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_ino, status.st_mtime_ns) if status else None


def _unchanged(version: VersionPaths, written: Path | None) -> bool:
    """Return whether catalog and index stay as they are for a moment."""
    try:
        with contextlib.closing(CatalogReader(version.catalog)) as reader:
            before = _state(reader, written)
            time.sleep(_MOMENT_SECONDS)
            return _state(reader, written) == before
    except StorageError:
        return True
