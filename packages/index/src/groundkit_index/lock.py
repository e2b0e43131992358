"""The lock that keeps a collection to one writer."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from groundkit_core.errors import CollectionBusyError
from groundkit_core.protocols import Notice

_POLL_SECONDS = 0.05

if os.name == "posix":
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _share(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_SH)

else:
    import msvcrt

    def _try_lock(file: IO[str]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

    def _share(file: IO[str]) -> None:
        """An open file cannot be deleted here, so nothing more is needed."""


@contextlib.contextmanager
def writer_lock(path: Path, *, wait: float, notice: Notice | None = None) -> Iterator[None]:
    """Hold the writer lock; the system frees it when the process ends, however it ends.

    Args:
        path: the lock file; its folder must exist.
        wait: seconds to wait for another writer.
        notice: told once when there is something to wait for.

    Raises:
        CollectionBusyError: the other writer did not finish in time.
    """
    deadline = time.monotonic() + wait
    tell = notice
    while True:
        with _open(path) as file:
            _wait_for(file, path, deadline, wait, tell)
            tell = None
            if _is_at(file, path):
                yield
                return
            # The collection was removed while we waited: this lock is nobody's.


def _open(path: Path) -> IO[str]:
    path.parent.mkdir(exist_ok=True, mode=0o700)
    return path.open("a+", encoding="ascii")


def _is_at(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _wait_for(
    file: IO[str], path: Path, deadline: float, wait: float, notice: Notice | None
) -> None:
    while not _try_lock(file):
        if time.monotonic() >= deadline:
            raise CollectionBusyError(
                f"another process is writing to collection {path.parent.name!r} "
                f"(waited {wait:g} s); try again when it is done"
            )
        if notice:
            notice(f"waiting for another writer of collection {path.parent.name!r}")
            notice = None
        time.sleep(_POLL_SECONDS)


def hold_shared(path: Path) -> IO[str]:
    """Return an open file that keeps `try_exclusive` away until it is closed."""
    file = path.open(encoding="ascii")
    _share(file)
    return file


@contextlib.contextmanager
def try_exclusive(path: Path) -> Iterator[bool]:
    """Yield whether nobody holds the file; if so, nobody can while the context lasts."""
    try:
        file = path.open("r+", encoding="ascii")
    except OSError:
        yield True
        return
    with file:
        yield _try_lock(file)
