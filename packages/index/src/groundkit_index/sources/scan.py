"""Finds the documents of a folder."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError, RootMissingError, SourceError
from groundkit_core.kinds import kind_of
from groundkit_core.model import FileSignature, SourceFile
from groundkit_core.paths import read_beneath, refusal_reason, signature_of, split_source
from groundkit_index.sources.folders import is_hidden, skip_by_content, skip_by_name
from groundkit_index.sources.ignore import IGNORE_FILE, IgnoreRules, rules_above

MAX_ENTRIES = 1_000_000
_MAX_SUFFIX = 12


@dataclass(frozen=True, slots=True)
class Scan:
    """What is in a folder.

    Attributes:
        files: the files to ingest, by source in code-point order.
        refused: wanted files, and folders, that cannot be had: source and reason. A name that
            is not valid Unicode is shown with escapes.
        skipped: how many files and folders were passed over, by reason; a folder counts once,
            whatever it holds. Reasons are `hidden`, `ignored` (by git), `vendored`,
            `environment` (virtual environments and caches), `index`, `symlink` and
            `unsupported_type`.
        unsupported: how many files of `unsupported_type` have which suffix, such as `.pdf`.
        unlisted: folders and files that could not be looked at, sorted; what was known of
            them still stands.
    """

    files: tuple[SourceFile, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)
    unsupported: dict[str, int] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()

    def is_unlisted(self, source: str) -> bool:
        """Return whether a source, or a folder above it, could not be looked at."""
        at = len(source)
        while at > 0:
            place = source[:at]
            found = bisect_left(self.unlisted, place)
            if found < len(self.unlisted) and self.unlisted[found] == place:
                return True
            at = source.rfind("/", 0, at)
        return False


class FolderSource:
    """The documents of a folder.

    Args:
        root: the folder, absolute and resolved.
        scope: a folder or file below it that the scan is limited to, in POSIX form. What is
            named here is taken even when hidden, vendored or ignored; entries below it are
            still held to the ignore files of all folders above.
        max_bytes: larger files are refused.
        follow_hidden: take hidden files and folders; repositories and caches stay out.
        max_entries: how many files and folders are looked at.
    """

    def __init__(
        self,
        root: Path,
        *,
        scope: str = "",
        max_bytes: int,
        follow_hidden: bool = False,
        max_entries: int = MAX_ENTRIES,
    ) -> None:
        self.root = root
        self.scope = "" if scope == "." else scope.removesuffix("/")
        self.max_bytes = max_bytes
        self.follow_hidden = follow_hidden
        self.max_entries = max_entries

    def scan(self) -> Scan:
        """List the documents; nothing is opened but ignore files, and no link is followed.

        Raises:
            RootMissingError: the root or the scope does not exist or cannot be listed.
            SourceError: the scope lies outside the root or behind a link, or there are more
                than `max_entries` files and folders.
        """
        status = self._status()
        walk = _Walk(self)
        if stat.S_ISDIR(status.st_mode):
            walk.run()
        else:
            walk.take_named(self.scope, status)
        return walk.result()

    def read(self, source: str) -> tuple[bytes, FileSignature]:
        """Return the bytes and the signature of a file; see `read_beneath`."""
        return read_beneath(self.root, source, max_bytes=self.max_bytes)

    def ancestors(self) -> list[str]:
        """Return the folders from the root to the one that holds the scope, outermost first."""
        parts = self.scope.split("/") if self.scope else []
        return ["/".join(parts[:depth]) for depth in range(len(parts))]

    def _status(self) -> os.stat_result:
        try:
            if self.scope:
                split_source(self.scope)
            for folder in self.ancestors()[1:]:
                if stat.S_ISLNK((self.root / folder).lstat().st_mode):
                    raise SourceError(f"{folder!r} is a symbolic link; name the folder it leads to")
            return (self.root / self.scope).lstat()
        except DocumentRefusedError:
            raise SourceError(f"{self.scope!r} is not a path below the root") from None
        except OSError as error:
            raise self.missing(error) from None

    def missing(self, error: OSError) -> RootMissingError:
        """Return the error for a root or scope that cannot be listed."""
        shown = repr(self.scope) if self.scope else "the root"
        reason = refusal_reason(error).replace("_", " ")
        return RootMissingError(f"{shown} cannot be listed ({reason}); nothing was changed")


class _Walk:
    """One scan: what was found so far."""

    def __init__(self, source: FolderSource) -> None:
        self._source = source
        self._root = source.root
        self._files: list[SourceFile] = []
        self._refused: list[tuple[str, str]] = []
        self._skipped: Counter[str] = Counter()
        self._unsupported: Counter[str] = Counter()
        self._unlisted: list[str] = []
        self._folders: list[tuple[str, IgnoreRules]] = []
        self._entries = 0

    def result(self) -> Scan:
        return Scan(
            files=tuple(sorted(self._files, key=lambda file: file.source)),
            refused=tuple(sorted(self._refused)),
            skipped=dict(sorted(self._skipped.items())),
            unsupported=dict(sorted(self._unsupported.items())),
            unlisted=tuple(sorted(self._unlisted)),
        )

    def run(self) -> None:
        rules = rules_above(self._root)
        for folder in self._source.ancestors():
            place = self._root / folder
            names = {name for name in (".git", IGNORE_FILE) if os.path.lexists(place / name)}
            rules = self._rules_inside(rules, folder, names)
        self._folders.append((self._source.scope, rules))
        while self._folders:
            self._visit(*self._folders.pop())

    def take_named(self, source: str, status: os.stat_result) -> None:
        """Take the one file that a person named."""
        if kind_of(source) is None:
            self._refused.append((source, "unsupported_type"))
        elif stat.S_ISLNK(status.st_mode):
            self._refused.append((source, "symlink"))
        else:
            self._take(source, status)

    def _visit(self, folder: str, rules: IgnoreRules) -> None:
        try:
            entries = self._list(folder)
        except OSError as error:
            if folder == self._source.scope:
                raise self._source.missing(error) from None
            self._keep(folder, error)
            return
        names = {entry.name for entry in entries}
        if folder != self._source.scope:
            reason = skip_by_content(folder.rpartition("/")[2], names)
            if reason is not None:
                self._skipped[reason] += 1
                return
        rules = self._rules_inside(rules, folder, names)
        prefix = f"{folder}/" if folder else ""
        for entry in entries:
            try:
                self._sort(entry, prefix + entry.name, rules)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._keep(prefix + entry.name, error)

    def _list(self, folder: str) -> list[os.DirEntry[str]]:
        left = self._source.max_entries - self._entries
        with os.scandir(self._root / folder) as listing:
            entries = list(islice(listing, left + 1))
        if len(entries) > left:
            raise SourceError(
                f"more than {self._source.max_entries:,} files and folders; "
                "ingest a folder below, or leave some out with a .gitignore file"
            )
        self._entries += len(entries)
        return entries

    def _rules_inside(self, rules: IgnoreRules, folder: str, names: set[str]) -> IgnoreRules:
        try:
            return rules.inside(self._root, folder, names)
        except DocumentRefusedError as error:
            self._refused.append((f"{folder}/{IGNORE_FILE}".lstrip("/"), error.reason))
            return rules

    def _sort(self, entry: os.DirEntry[str], source: str, rules: IgnoreRules) -> None:
        if entry.is_dir(follow_symlinks=False):
            self._sort_folder(entry.name, source, rules)
        else:
            self._sort_file(entry, source, rules)

    def _sort_folder(self, name: str, source: str, rules: IgnoreRules) -> None:
        reason = skip_by_name(name, follow_hidden=self._source.follow_hidden)
        if reason is None and rules and rules.ignored(source, name, is_folder=True):
            reason = "ignored"
        if reason is not None:
            self._skipped[reason] += 1
        elif not _is_unicode(name):
            self._refused.append((_escaped(source), "invalid_name"))
        else:
            self._folders.append((source, rules))

    def _sort_file(self, entry: os.DirEntry[str], source: str, rules: IgnoreRules) -> None:
        name = entry.name
        if is_hidden(name, is_folder=False) and not self._source.follow_hidden:
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
        _, dot, suffix = entry.name.rpartition(".")
        known = dot and suffix.isascii() and suffix.isalnum() and len(suffix) <= _MAX_SUFFIX
        self._unsupported[f".{suffix.lower()}" if known else ""] += 1

    def _take(self, source: str, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            self._refused.append((source, "not_regular"))
        elif status.st_size > self._source.max_bytes:
            self._refused.append((source, "too_large"))
        else:
            self._files.append(SourceFile(source, signature_of(status)))

    def _keep(self, source: str, error: OSError) -> None:
        """Refuse what cannot be looked at, and let what was known of it stand."""
        self._refused.append((source, refusal_reason(error)))
        self._unlisted.append(source)


def _is_unicode(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _escaped(source: str) -> str:
    return source.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
