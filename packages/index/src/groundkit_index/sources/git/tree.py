"""The documents of a repository at a commit."""

from __future__ import annotations

import stat
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from groundkit_core.errors import DocumentRefusedError, RootMissingError, SourceError
from groundkit_core.model import FileSignature
from groundkit_core.paths import split_source
from groundkit_index.sources.folder import MAX_ENTRIES
from groundkit_index.sources.git.entries import TreeEntry, parse_entries, signature_of_blob
from groundkit_index.sources.git.objects import Objects
from groundkit_index.sources.git.place import find_place
from groundkit_index.sources.git.revisions import Revisions
from groundkit_index.sources.git.walk import TreeWalk
from groundkit_index.sources.scan import Scan

_MAX_TREE = 64 * 2**20
_CACHED_TREES = 4096
_MAX_PATH = 4096  # as on disk


class GitTree:
    """A folder of a repository as it is in a commit, read from the object store.

    Nothing of the repository is run and nothing outside it is read: no hook, filter, textconv
    or LFS program, no included configuration, no borrowed object store. Contents are blobs as
    they are stored, so line endings are those of the commit and LFS pointers stay pointers.

    Attributes:
        commit: the full id of the commit.
        folder: the folder that sources are relative to, below the top of the tree; empty for
            the top.
        scope: the file below it that `open` was given, else empty.
    """

    def __init__(self, objects: Objects, commit: str, tree: str, path: str) -> None:
        self.commit = commit
        self._objects = objects
        self._tree = tree
        self._parsed = lru_cache(maxsize=_CACHED_TREES)(self._parse)
        self.folder, self.scope = self._split(path)

    @classmethod
    def open(cls, path: Path, rev: str | None = None) -> Self:
        """Open a repository, or what lies below one, at a revision.

        Args:
            path: a work tree, a worktree, a bare repository, or a folder or file below a work
                tree; below one it need only exist in the commit.
            rev: a branch, a tag, a full or short commit id, `HEAD~2`, `v1^`; None is `HEAD`.

        Raises:
            SourceError: there is no repository, no such revision or no such folder in it.
        """
        place = find_place(path)
        objects = Objects(place.common, place.object_format, partial=place.partial)
        try:
            revisions = Revisions(place, objects)
            commit = revisions.commit("HEAD" if rev is None else rev)
            return cls(objects, commit, revisions.tree(commit), place.folder)
        except BaseException:
            objects.close()
            raise

    def close(self) -> None:
        """Close the repository's files."""
        self._objects.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def scan(
        self,
        scope: str = "",
        *,
        max_bytes: int,
        follow_hidden: bool = False,
        max_entries: int = MAX_ENTRIES,
    ) -> Scan:
        """List the documents, by the rules of `FolderSource.scan`, ignore files included.

        Submodules are counted as `submodule`. `.git/info/exclude` belongs to a checkout, not to
        a commit, and does not count.

        Args:
            scope: a folder or file that the scan is limited to; `self.scope` when empty.
            max_bytes: larger files are refused.
            follow_hidden: take hidden files and folders.
            max_entries: how many files and folders are looked at.

        Raises:
            RootMissingError: the scope is not in the commit.
            SourceError: the scope lies behind a link, or there are too many entries.
        """
        scope = (scope or self.scope).removesuffix("/")
        walk = TreeWalk(
            self,
            self._objects.size,
            max_bytes=max_bytes,
            follow_hidden=follow_hidden,
            max_entries=max_entries,
        )
        entry = self._scoped(scope) if scope not in ("", ".") else None
        if entry is None or entry.is_dir():
            walk.run("" if entry is None else scope)
        else:
            walk.take_entry_named(scope, entry)
        return walk.result()

    def read(self, source: str, max_bytes: int) -> bytes:
        """Return the bytes of a file, checked against the id that the commit has for it.

        Raises:
            DocumentRefusedError: `outside_root`, `missing`, `symlink`, `not_regular`,
                `too_large`, `over_limit`, `broken`, or `not_fetched` in a partial clone.
        """
        entry = self._file(source)
        found = self._objects.read(entry.oid, max_bytes=max_bytes)
        if found.type != "blob":
            raise DocumentRefusedError("broken", "the tree names what is no file")
        return found.data

    def signature(self, source: str) -> FileSignature:
        """Return the signature of a file; see `signature_of_blob`.

        Raises:
            DocumentRefusedError: as `read`.
        """
        entry = self._file(source)
        return signature_of_blob(entry.oid, self._objects.size(entry.oid))

    def blob_id(self, source: str) -> str:
        """Return the full id of a file's content.

        Raises:
            DocumentRefusedError: as `read`.
        """
        return self._file(source).oid

    def entries(self, path: str) -> dict[str, TreeEntry]:
        """Return the entries of a folder below the top of the tree, by name.

        Raises:
            DocumentRefusedError: it is not there, a link, or damaged.
        """
        if len(path) > _MAX_PATH:
            raise DocumentRefusedError("name_too_long")
        found = self._parsed(self._tree)
        for name in path.split("/") if path else ():
            entry = _named(found, name)
            if not entry.is_dir():
                raise DocumentRefusedError("symlink" if entry.is_symlink() else "missing")
            found = self._parsed(entry.oid)
        return found

    def read_entry(self, entry: TreeEntry, max_bytes: int) -> bytes:
        """Return the content of an entry."""
        return self._objects.read(entry.oid, max_bytes=max_bytes).data

    def _parse(self, oid: str) -> dict[str, TreeEntry]:
        found = self._objects.read(oid, max_bytes=_MAX_TREE)
        if found.type != "tree":
            raise DocumentRefusedError("broken", "a folder of the tree is none")
        return parse_entries(found.data, self._objects.object_format.oid_length)

    def _entry(self, path: str) -> TreeEntry:
        folder, _, name = path.rpartition("/")
        return _named(self.entries(folder), name)

    def _file(self, source: str) -> TreeEntry:
        split_source(source)
        entry = self._entry(self._at(source))
        if entry.is_symlink():
            raise DocumentRefusedError("symlink")
        if not stat.S_ISREG(entry.mode):
            raise DocumentRefusedError("not_regular")
        return entry

    def _at(self, source: str) -> str:
        return f"{self.folder}/{source}" if self.folder and source else self.folder or source

    def _scoped(self, scope: str) -> TreeEntry:
        try:
            split_source(scope)
            return self._entry(self._at(scope))
        except DocumentRefusedError as error:
            if error.reason == "outside_root":
                raise SourceError(f"{scope!r} is not a path below the root") from None
            if error.reason == "symlink":
                raise SourceError(f"{scope!r} lies behind a link; name where it leads") from None
            raise self._missing(scope) from None

    def _split(self, path: str) -> tuple[str, str]:
        """Return the folder that a path is, or the folder and the file."""
        if not path:
            return "", ""
        try:
            entry = self._entry(path)
        except DocumentRefusedError:
            raise self._missing(path) from None
        folder, _, name = path.rpartition("/")
        return (path, "") if entry.is_dir() else (folder, name)

    def _missing(self, path: str) -> RootMissingError:
        return RootMissingError(
            f"{path!r} is not in commit {self.commit[:12]}; check the path or the revision"
        )


def _named(entries: dict[str, TreeEntry], name: str) -> TreeEntry:
    entry = entries.get(name)
    if entry is None:
        raise DocumentRefusedError("missing")
    return entry
