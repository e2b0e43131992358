"""Walks a folder and sorts what it meets into wanted, refused and skipped."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Sequence, Set
from itertools import islice
from pathlib import Path
from typing import Protocol

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_core.kinds import Kind, kind_of
from groundkit_core.model import SourceFile
from groundkit_core.paths import TRANSIENT, refusal_reason, signature_of
from groundkit_index.sources.detect import sniffed
from groundkit_index.sources.ignore import IGNORE_FILE, IgnoreRules, rules_above
from groundkit_index.sources.members import is_archive_name, scan_archive
from groundkit_index.sources.scan import Scan
from groundkit_index.sources.skip import is_hidden, skip_by_content, skip_by_name

_MAX_SUFFIX = 12


class Entry(Protocol):
    """What a folder lists; `os.DirEntry` is one."""

    @property
    def name(self) -> str:
        """The name in its folder."""

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Return whether it is a folder."""

    def is_symlink(self) -> bool:
        """Return whether it is a link."""

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Return its status."""


class Walk:
    """One walk below a root; see `FolderSource` for the arguments."""

    def __init__(
        self, root: Path, *, max_bytes: int, follow_hidden: bool, max_entries: int
    ) -> None:
        self._root = root
        self._max_bytes = max_bytes
        self._follow_hidden = follow_hidden
        self._max_entries = max_entries
        self._entries_left = max_entries
        self._pending: list[tuple[str, IgnoreRules]] = []
        self._files: list[SourceFile] = []
        self._refused: list[tuple[str, str]] = []
        self._skipped: Counter[str] = Counter()
        self._unsupported: Counter[str] = Counter()
        self._unlisted: list[str] = []

    def result(self) -> Scan:
        """Return what was found so far."""
        return Scan(
            files=tuple(sorted(self._files, key=lambda file: file.source)),
            refused=tuple(sorted(self._refused)),
            skipped=dict(sorted(self._skipped.items())),
            unsupported=dict(sorted(self._unsupported.items())),
            unlisted=tuple(sorted(self._unlisted)),
        )

    def run(self, start: str) -> None:
        """Walk a folder, given by its path below the root.

        Raises:
            OSError: that folder cannot be listed; one below it that cannot is noted.
            SourceError: there are too many entries.
        """
        entries = self._list(start)
        self._visit(start, entries, {entry.name for entry in entries}, self._rules_for(start))
        while self._pending:
            folder, rules = self._pending.pop()
            try:
                entries = self._list(folder)
            except OSError as error:
                self._note_unlisted(folder, error)
                continue
            names = {entry.name for entry in entries}
            reason = skip_by_content(folder.rpartition("/")[2], names)
            if reason is not None:
                self._skipped[reason] += 1
            else:
                self._visit(folder, entries, names, rules)

    def take_named(self, source: str, status: os.stat_result) -> None:
        """Take the one file that a person named, whatever rules would pass it over."""
        if stat.S_ISLNK(status.st_mode):
            self._refused.append((source, "symlink"))
        elif kind_of(source) is not None:
            self._take(source, status)
        elif not self._take_unnamed(source, status):
            self._refused.append((source, "unsupported_type"))

    def _rules_for(self, start: str) -> IgnoreRules:
        rules = rules_above(self._root)
        parts = start.split("/") if start else []
        for depth in range(len(parts)):
            folder = "/".join(parts[:depth])
            place = self._root / folder
            names = {name for name in (".git", IGNORE_FILE) if os.path.lexists(place / name)}
            rules = self._rules_inside(folder, names, rules)
        return rules

    def _rules_inside(self, folder: str, names: Set[str], rules: IgnoreRules) -> IgnoreRules:
        inner, refused = rules.inside(self._root, folder, names)
        self._refused += refused
        return inner

    def _list(self, folder: str) -> Sequence[Entry]:
        with os.scandir(self._root / folder) as listing:
            entries = list(islice(listing, self._entries_left + 1))
        self._count(len(entries))
        return entries

    def _count(self, entries: int) -> None:
        self._entries_left -= entries
        if self._entries_left < 0:
            raise SourceError(
                f"more than {self._max_entries:,} files and folders; "
                "ingest a folder below, or leave some out with a .gitignore file"
            )

    def _visit(
        self, folder: str, entries: Sequence[Entry], names: Set[str], rules: IgnoreRules
    ) -> None:
        rules = self._rules_inside(folder, names, rules)
        prefix = f"{folder}/" if folder else ""
        for entry in entries:
            source = prefix + entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    self._sort_folder(entry.name, source, rules)
                else:
                    self._sort_file(entry, source, rules)
            except FileNotFoundError:
                continue  # it went away since it was listed
            except OSError as error:
                self._note_unlisted(source, error)

    def _sort_folder(self, name: str, source: str, rules: IgnoreRules) -> None:
        reason = skip_by_name(name, follow_hidden=self._follow_hidden)
        if reason is None and rules and rules.ignored(source, name, is_folder=True):
            reason = "ignored"
        if reason is not None:
            self._skipped[reason] += 1
        elif not _is_unicode(name):
            self._refused.append((_escaped(source), "invalid_name"))
        else:
            self._pending.append((source, rules))

    def _sort_file(self, entry: Entry, source: str, rules: IgnoreRules) -> None:
        name = entry.name
        if is_hidden(name, is_folder=False) and not self._follow_hidden:
            self._skipped["hidden"] += 1
        elif kind_of(name) is None:
            self._sort_unnamed(entry, source, rules)
        elif rules and rules.ignored(source, name, is_folder=False):
            self._skipped["ignored"] += 1
        elif not _is_unicode(name):
            self._refused.append((_escaped(source), "invalid_name"))
        elif entry.is_symlink():
            self._refused.append((source, "symlink"))
        else:
            self._take_entry(entry, source)

    def _sort_unnamed(self, entry: Entry, source: str, rules: IgnoreRules) -> None:
        """Take an archive, and a document whose first bytes say what its name does not."""
        ignored = rules and rules.ignored(source, entry.name, is_folder=False)
        closed = ignored or entry.is_symlink() or not _is_unicode(entry.name)
        if closed or not self._take_unnamed(source, entry.stat(follow_symlinks=False)):
            self._skip_unsupported(entry)

    def _take_unnamed(self, source: str, status: os.stat_result) -> bool:
        if not stat.S_ISREG(status.st_mode):
            return False
        if is_archive_name(source):
            return self._take_archive(source)
        kind = sniffed(self._root, source)
        if kind is not None:
            self._take(source, status, kind)
        return kind is not None

    def _take_archive(self, source: str) -> bool:
        try:
            found = scan_archive(self._root, source, max_bytes=self._max_bytes)
        except DocumentRefusedError as error:
            self._refused.append((source, str(error)))
            if error.reason in TRANSIENT:
                self._unlisted.append(f"{source}!")  # what was known of its members stands
            return True
        if found is None:
            return False
        self._count(len(found.files) + len(found.refused))
        self._files += found.files
        self._refused += found.refused
        self._skipped.update(found.skipped)
        return True

    def _take_entry(self, entry: Entry, source: str) -> None:
        self._take(source, entry.stat(follow_symlinks=False))

    def _skip_unsupported(self, entry: Entry) -> None:
        if entry.is_symlink():
            self._skipped["symlink"] += 1
            return
        self._skipped["unsupported_type"] += 1
        stem, _, suffix = entry.name.rpartition(".")
        plain = stem and suffix.isascii() and suffix.isalnum() and len(suffix) <= _MAX_SUFFIX
        self._unsupported[f".{suffix.lower()}" if plain else "other"] += 1

    def _take(self, source: str, status: os.stat_result, kind: Kind | None = None) -> None:
        if not stat.S_ISREG(status.st_mode):
            self._refused.append((source, "not_regular"))
        elif status.st_size > self._max_bytes:
            self._refused.append((source, "too_large"))
        else:
            self._files.append(SourceFile(source, signature_of(status), kind))

    def _note_unlisted(self, source: str, error: OSError) -> None:
        self._refused.append((source, refusal_reason(error)))
        self._unlisted.append(source)


def _is_unicode(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _escaped(source: str) -> str:
    return source.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
