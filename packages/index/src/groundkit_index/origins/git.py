"""Documents of a commit, read from the repository's object store."""

from __future__ import annotations

import atexit
import threading
from collections import OrderedDict
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_core.model import FileSignature
from groundkit_index.sources.git import GitTree
from groundkit_index.sources.scan import Scan

_KEPT = 8


class GitOrigin:
    """The files of a commit; thread-safe, and opened when the first is asked for.

    Args:
        folder: a work tree, a bare repository, or a folder below a work tree.
        commit: the full id of the commit.
    """

    def __init__(self, folder: Path, commit: str) -> None:
        self._folder = folder
        self._commit = commit

    def stat(self, source: str) -> FileSignature | None:
        """Return what tells a blob from another; None when it cannot be had."""
        try:
            with _LOCK:
                return self._tree().signature(source)
        except DocumentRefusedError:
            return None

    def read(
        self, source: str, *, max_bytes: int, max_links: int | None = None
    ) -> tuple[bytes, FileSignature]:
        """Return the bytes of a file as they are in the commit; see `Origin`."""
        del max_links
        with _LOCK:
            tree = self._tree()
            return tree.read(source, max_bytes), tree.signature(source)

    def commit(self) -> str:
        """Return the full id of the commit."""
        return self._commit

    def _tree(self) -> GitTree:
        try:
            return _TREES.of(self._folder, self._commit)
        except SourceError:
            raise DocumentRefusedError("missing", "the repository lacks the commit") from None


def scan_commit(folder: Path, commit: str, scope: str, *, max_bytes: int) -> Scan:
    """Return the documents of a commit, or of a part of it."""
    with GitTree.open(folder, commit) as tree:
        return tree.scan(scope, max_bytes=max_bytes)


class _Trees:
    """Trees that are kept open, since what a commit holds never changes."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Path, str], GitTree] = OrderedDict()

    def of(self, folder: Path, commit: str) -> GitTree:
        key = (folder, commit)
        if key not in self._open:
            self._open[key] = GitTree.open(folder, commit)
            if len(self._open) > _KEPT:
                self._open.popitem(last=False)[1].close()
        self._open.move_to_end(key)
        return self._open[key]

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()


_LOCK = threading.RLock()
_TREES = _Trees()
atexit.register(_TREES.close)
