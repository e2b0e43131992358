"""Opens a tantivy index, and turns what the engine throws into our errors."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import tantivy

from groundkit_core.errors import CorruptIndexError, GroundkitError, StorageError
from groundkit_index.lexical import schema

_LOCK = ".tantivy-meta.lock"
_FULL = ("StorageFull", "No space left", "os error 28")


@contextlib.contextmanager
def engine_errors() -> Iterator[None]:
    """Raise our errors for whatever the engine throws; its panics are no `Exception`.

    Raises:
        StorageError: the disk is full.
        CorruptIndexError: anything else.
    """
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, GroundkitError):
        raise
    except BaseException as error:
        if any(sign in str(error) for sign in _FULL):
            raise StorageError(
                "the lexical index cannot be written, the disk is full; free some space and "
                "ingest again"
            ) from error
        raise CorruptIndexError(
            "the lexical index cannot be read; run `groundkit doctor --repair`"
        ) from error


def open_index(folder: Path) -> tantivy.Index:
    """Open an index with our fields.

    Raises:
        CorruptIndexError: there is none, or it is damaged or not ours.
    """
    with engine_errors():
        index = tantivy.Index.open(str(folder))
        schema.check_fields(index)
        schema.register_tokenizer(index)
        return index


class ReadableFolder:
    """A folder that the engine can read an index in.

    The engine opens a lock file for writing even to read. Where that is not there or cannot be
    written, the index is read through a temporary folder of links, which has its own.
    """

    def __init__(self, folder: Path) -> None:
        self._source = folder
        self._links: Path | None = None
        if not os.access(folder / _LOCK, os.W_OK):
            self._links = Path(tempfile.mkdtemp(prefix="groundkit-"))
            self.refresh()

    @property
    def path(self) -> Path:
        """The folder to open."""
        return self._links or self._source

    def refresh(self) -> None:
        """Link what has come since."""
        if self._links is None:
            return
        try:
            names = [path.name for path in self._source.iterdir() if path.suffix != ".lock"]
        except OSError:
            names = []
        for name in names:
            with contextlib.suppress(FileExistsError):
                (self._links / name).symlink_to(self._source / name)

    def close(self) -> None:
        """Remove the links."""
        if self._links is not None:
            shutil.rmtree(self._links, ignore_errors=True)
