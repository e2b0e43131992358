"""Reads the catalog without creating or writing anything."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from groundkit_core.errors import CorruptIndexError
from groundkit_index.catalog import queries

_T = TypeVar("_T")
_BUSY_SECONDS = 10.0
_TRIES = 5
# The message of SQLite's own error may hold a damaged byte, which Python cannot decode.
_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)


class _ChangedError(Exception):
    """A writer came while an immutable connection was read."""


class _Connection:
    """One connection and how it was opened.

    A catalog without a write-ahead log has no writer. Opening it the usual way would create
    `-wal` and `-shm` files, and fail on a read-only disk, so it is opened as immutable, and
    every read checks that no writer came meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = Path(f"{path}-wal")
        self._immutable = not self._has_log()
        self._state = self._stat()
        mode = "mode=ro&immutable=1" if self._immutable else "mode=ro"
        self.sqlite = sqlite3.connect(
            f"file:{quote(str(path))}?{mode}",
            uri=True,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        if self._immutable:
            try:
                _check_length(self.sqlite, self._state[1])
            except BaseException:
                self.sqlite.close()
                raise

    def _stat(self) -> tuple[int, int, int]:
        status = self._path.stat()
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _has_log(self) -> bool:
        """Return whether there is a log that holds anything; an empty one is like none."""
        try:
            return self._log.stat().st_size > 0
        except OSError:
            return False

    @property
    def usable(self) -> bool:
        """Whether what this connection reads is still the catalog."""
        if not self._immutable:
            return True
        try:
            return not self._has_log() and self._stat() == self._state
        except OSError:
            return False

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` in one snapshot."""
        self.sqlite.execute("begin")
        try:
            result = work(self.sqlite)
        except (*_DAMAGE, CorruptIndexError):
            # Pages that a writer changes under an immutable connection look damaged.
            if not self.usable:
                raise _ChangedError from None
            raise
        finally:
            self.sqlite.execute("rollback")
        if not self.usable:
            raise _ChangedError
        return result

    def close(self) -> None:
        self.sqlite.close()


def _check_length(connection: sqlite3.Connection, size: int) -> None:
    """Raise when the last page of a database is cut; SQLite itself misses whole ones.

    The file must not be opened here: closing it would drop the locks that SQLite holds on it.
    """
    (page,) = connection.execute("pragma page_size").fetchone()
    if size % page:
        raise CorruptIndexError(
            "the catalog is truncated; restore the index or ingest into a new collection"
        )


class CatalogReader:
    """A pool of read-only connections; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[_Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        try:
            self.read(queries.check_identity)
        except (*_DAMAGE, OSError) as error:
            raise CorruptIndexError(
                f"the catalog cannot be opened ({error}); ingest into a new collection"
            ) from None

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` with a connection that sees one state of the catalog throughout.

        `work` may run again when a writer came, so it must have no side effects.
        """
        for _ in range(_TRIES):
            connection = self._take()
            try:
                return connection.read(work)
            except _ChangedError:
                continue
            except _DAMAGE as error:
                raise CorruptIndexError(
                    f"the catalog cannot be read ({error}); run `groundkit doctor`"
                ) from error
            finally:
                self._give(connection)
        raise CorruptIndexError("the catalog changed under every try to read it; try again")

    def _take(self) -> _Connection:
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        if idle is not None and idle.usable:
            return idle
        if idle is not None:
            idle.close()
        try:
            return _Connection(self._path)
        except OSError as error:
            raise CorruptIndexError(
                f"the catalog cannot be opened ({error.strerror}); run `groundkit doctor`"
            ) from None

    def _give(self, connection: _Connection) -> None:
        with self._lock:
            if not self._closed and connection.usable:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close the idle connections, and those in use when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
