"""Walks the trees of a commit by the rules of a walk through folders."""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Protocol

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_core.kinds import kind_of
from groundkit_core.model import SourceFile
from groundkit_index.sources.git.entries import TreeEntry, signature_of_blob
from groundkit_index.sources.ignore import IGNORE_FILE, MAX_IGNORE_BYTES, IgnoreRules
from groundkit_index.sources.walk import Entry, Walk


class Trees(Protocol):
    """Where the walk gets its folders from; `folder` is the root's place below the top."""

    folder: str

    def entries(self, path: str) -> dict[str, TreeEntry]:
        """Return the entries of a folder below the top, by name."""

    def read_entry(self, entry: TreeEntry, max_bytes: int) -> bytes:
        """Return the content of an entry."""


class TreeWalk(Walk):
    """One walk through a commit; see `GitTree.scan` for the arguments."""

    def __init__(
        self,
        trees: Trees,
        size_of: Callable[[str], int],
        *,
        max_bytes: int,
        follow_hidden: bool,
        max_entries: int,
    ) -> None:
        super().__init__(
            Path(), max_bytes=max_bytes, follow_hidden=follow_hidden, max_entries=max_entries
        )
        self._trees = trees
        self._size_of = size_of

    def take_entry_named(self, source: str, entry: TreeEntry) -> None:
        """Take the one file that a person named, whatever rules would pass it over."""
        if kind_of(source) is None:
            self._refused.append((source, "unsupported_type"))
        elif entry.is_symlink():
            self._refused.append((source, "symlink"))
        else:
            self._take_entry(entry, source)

    def _list(self, folder: str) -> Sequence[Entry]:
        try:
            listed = self._trees.entries(self._at(folder))
        except DocumentRefusedError as error:
            if not folder:
                raise SourceError(f"the folder cannot be read ({error})") from None
            self._refused.append((folder, error.reason))
            self._unlisted.append(folder)
            return ()
        self._count(len(listed))
        return [entry for entry in listed.values() if self._is_sound(folder, entry)]

    def _is_sound(self, folder: str, entry: TreeEntry) -> bool:
        if entry.is_submodule:
            self._skipped["submodule"] += 1
        elif entry.escapes:
            shown = entry.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            self._refused.append((f"{folder}/{shown}" if folder else shown, "outside_root"))
        else:
            return True
        return False

    def _sort_unnamed(self, entry: Entry, source: str, rules: IgnoreRules) -> None:
        """Archives of a commit are not entered, and its files not opened for their kind."""
        del source, rules
        self._skip_unsupported(entry)

    def _take_entry(self, entry: Entry, source: str) -> None:
        if not isinstance(entry, TreeEntry) or not stat.S_ISREG(entry.mode):
            self._refused.append((source, "not_regular"))
            return
        try:
            size = self._size_of(entry.oid)
        except DocumentRefusedError as error:
            self._refused.append((source, error.reason))
            return
        if size > self._max_bytes:
            self._refused.append((source, "too_large"))
        else:
            self._files.append(SourceFile(source, signature_of_blob(entry.oid, size)))

    def _rules_for(self, start: str) -> IgnoreRules:
        rules = IgnoreRules()
        inner = self._trees.folder.split("/") if self._trees.folder else []
        for depth in range(len(inner)):
            above = "/".join(inner[depth:]) + "/"
            with contextlib.suppress(DocumentRefusedError):
                rules = self._with_file("/".join(inner[:depth]), rules, above=above)
        parts = start.split("/") if start else []
        for depth in range(len(parts)):
            rules = self._rules_inside("/".join(parts[:depth]), {IGNORE_FILE}, rules)
        return rules

    def _rules_inside(self, folder: str, names: Set[str], rules: IgnoreRules) -> IgnoreRules:
        if IGNORE_FILE not in names:
            return rules
        prefix = f"{folder}/" if folder else ""
        try:
            return self._with_file(self._at(folder), rules, folder=prefix)
        except DocumentRefusedError as error:
            self._refused.append((prefix + IGNORE_FILE, error.reason))
            return rules

    def _with_file(
        self, path: str, rules: IgnoreRules, *, folder: str = "", above: str = ""
    ) -> IgnoreRules:
        entry = self._trees.entries(path).get(IGNORE_FILE)
        if entry is None:
            return rules
        if not stat.S_ISREG(entry.mode):
            raise DocumentRefusedError("symlink" if entry.is_symlink() else "not_regular")
        data = self._trees.read_entry(entry, MAX_IGNORE_BYTES)
        return rules.with_rules(data, folder=folder, above=above)

    def _at(self, folder: str) -> str:
        above = self._trees.folder
        return f"{above}/{folder}" if above and folder else above or folder
