"""A file that is read again when it has changed."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from groundkit_core.errors import SettingsError

T = TypeVar("T")

MAX_BYTES = 2**20
_OTHERS_MAY_WRITE = 0o002


class WatchedFile(Generic[T]):
    """What a file of the operator holds, as of now.

    Args:
        path: the file; it is read at once.
        parse: turns its bytes into a value; raises ValueError with a message without content.

    Raises:
        SettingsError: it cannot be read, anybody may write to it, or its content is wrong.
    """

    def __init__(self, path: Path, parse: Callable[[bytes], T]) -> None:
        self._path = path
        self._parse = parse
        self._lock = threading.Lock()
        self._seen: tuple[int, ...] | None = None
        self._value: T | None = None
        self.value()

    def value(self) -> T:
        """Return what it holds; one `stat` when it has not changed.

        Raises:
            SettingsError: it has become unusable; so nothing of what it held counts any longer.
        """
        with self._lock:
            try:
                now = _identity(self._path)
                if self._value is None or now != self._seen:
                    self._value = None
                    self._value, self._seen = self._parse(_content(self._path)), now
            except OSError as error:
                self._value = None
                raise SettingsError(f"{self._path.name}: {error.strerror}") from None
            except ValueError as error:
                raise SettingsError(f"{self._path.name}: {error}") from None
            return self._value


def _identity(path: Path) -> tuple[int, ...]:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("not a file")
    if os.name == "posix" and found.st_mode & _OTHERS_MAY_WRITE:
        raise ValueError("anybody may write to it; take that right away")
    return found.st_size, found.st_mtime_ns, found.st_ino


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"longer than {MAX_BYTES:,} bytes")
    return content
