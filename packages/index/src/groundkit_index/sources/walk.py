"""Walks a folder and sorts what it meets into wanted, refused and skipped."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Set
from itertools import islice
from pathlib import Path

from groundkit_core.errors import SourceError
from groundkit_core.kinds import kind_of
from groundkit_core.model import SourceFile
from groundkit_core.paths import refusal_reason, signature_of
from groundkit_index.sources.ignore import IGNORE_FILE, IgnoreRules, rules_above
from groundkit_index.sources.scan import Scan
from groundkit_index.sources.skip import is_hidden, skip_by_content, skip_by_name

_MAX_SUFFIX = 12


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
        if kind_of(source) is None:
            self._refused.append((source, "unsupported_type"))
        elif stat.S_ISLNK(status.st_mode):
            self._refused.append((source, "symlink"))
        else:
            self._take(source, status)

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

    def _list(self, folder: str) -> list[os.DirEntry[str]]:
        with os.scandir(self._root / folder) as listing:
            entries = list(islice(listing, self._entries_left + 1))
        self._entries_left -= len(entries)
        if self._entries_left < 0:
            raise SourceError(
                f"more than {self._max_entries:,} files and folders; "
                "ingest a folder below, or leave some out with a .gitignore file"
            )
        return entries

    def _visit(
        self, folder: str, entries: list[os.DirEntry[str]], names: Set[str], rules: IgnoreRules
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

    def _sort_file(self, entry: os.DirEntry[str], source: str, rules: IgnoreRules) -> None:
        name = entry.name
        if is_hidden(name, is_folder=False) and not self._follow_hidden:
            self._skipped["hidden"] += 1
        elif kind_of(name) is None:
            self._skip_unsupported(entry)
        elif rules and rules.ignored(source, name, is_folder=False):
            self._skipped["ignored"] += 1
        elif not _is_unicode(name):
            self._refused.append((_escaped(source), "invalid_name"))
        elif entry.is_symlink():
            self._refused.append((source, "symlink"))
        else:
            self._take(source, entry.stat(follow_symlinks=False))

    def _skip_unsupported(self, entry: os.DirEntry[str]) -> None:
        if entry.is_symlink():
            self._skipped["symlink"] += 1
            return
        self._skipped["unsupported_type"] += 1
        stem, _, suffix = entry.name.rpartition(".")
        plain = stem and suffix.isascii() and suffix.isalnum() and len(suffix) <= _MAX_SUFFIX
        self._unsupported[f".{suffix.lower()}" if plain else "other"] += 1

    def _take(self, source: str, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            self._refused.append((source, "not_regular"))
        elif status.st_size > self._max_bytes:
            self._refused.append((source, "too_large"))
        else:
            self._files.append(SourceFile(source, signature_of(status)))

    def _note_unlisted(self, source: str, error: OSError) -> None:
        self._refused.append((source, refusal_reason(error)))
        self._unlisted.append(source)


def _is_unicode(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _escaped(source: str) -> str:
    return source.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
