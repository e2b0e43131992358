"""Which entries of a folder git would ignore, by the ignore files from its repository down."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.paths import read_beneath
from groundkit_index.sources.gitignore import MAX_RULES, RuleSet, parse_rules

IGNORE_FILE = ".gitignore"
_EXCLUDE_FILE = ".git/info/exclude"
MAX_IGNORE_BYTES = 128 * 1024


@dataclass(frozen=True, slots=True)
class _Layer:
    """The rules of one file.

    Attributes:
        rules: the rules.
        folder: the folder they are relative to, as a prefix that ends with `/`, or empty.
        above: for a folder above the root, the path from it to the root, ending with `/`.
    """

    rules: RuleSet
    folder: str = ""
    above: str = ""

    def verdict(self, source: str, name: str, *, is_folder: bool) -> bool | None:
        path = self.above + source[len(self.folder) :]
        return self.rules.verdict(_bytewise(name), _bytewise(path), is_folder=is_folder)


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The ignore files in force in one folder; an inner one outranks an outer one.

    Read are `.gitignore` at every level, from the top of the repository that holds the root
    when there is one, and `.git/info/exclude` of a repository whose `.git` is a folder. A
    repository inside another starts afresh, as in git. A person's global excludes are not
    read, so that a folder gives the same documents to everyone.
    """

    layers: tuple[_Layer, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.layers)

    def ignored(self, source: str, name: str, *, is_folder: bool) -> bool:
        """Return whether an entry is ignored; its folder must not be."""
        for layer in reversed(self.layers):
            verdict = layer.verdict(source, name, is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False

    def inside(
        self, root: Path, folder: str, names: Set[str]
    ) -> tuple[IgnoreRules, list[tuple[str, str]]]:
        """Return the rules for the entries of a folder, and ignore files that cannot be used.

        Args:
            root: the root.
            folder: the folder below it, in POSIX form; empty for the root.
            names: the names in the folder.
        """
        place = root / folder
        prefix = f"{folder}/" if folder else ""
        rules, files = self, []
        if ".git" in names and is_repository(place):
            rules, files = IgnoreRules(), [_EXCLUDE_FILE]
        if IGNORE_FILE in names:
            files.append(IGNORE_FILE)
        refused = []
        for file in files:
            try:
                rules = rules._with_file(place, file, folder=prefix)
            except DocumentRefusedError as error:
                refused.append((prefix + file, error.reason))
        return rules, refused

    def _with_file(
        self, place: Path, file: str, *, folder: str = "", above: str = ""
    ) -> IgnoreRules:
        try:
            data, _ = read_beneath(place, file, max_bytes=MAX_IGNORE_BYTES)
        except DocumentRefusedError as error:
            if error.reason == "missing":
                return self
            raise
        return self.with_rules(data, folder=folder, above=above)

    def with_rules(self, data: bytes, *, folder: str = "", above: str = "") -> IgnoreRules:
        """Return these rules and those of one more ignore file, which outranks them.

        Args:
            data: what is in the file.
            folder: the folder below the root that it lies in, ending with `/`, or empty.
            above: for a file above the root, the path from there to the root, ending with `/`.

        Raises:
            DocumentRefusedError: `too_many_rules`.
        """
        rules = parse_rules(data)
        if sum(len(layer.rules) for layer in self.layers) + len(rules) > MAX_RULES:
            raise DocumentRefusedError("too_many_rules", f"at most {MAX_RULES} in force at once")
        return IgnoreRules((*self.layers, _Layer(rules, folder, above))) if len(rules) else self


def rules_above(root: Path) -> IgnoreRules:
    """Return the rules that a root inherits from the folders above it, up to its repository.

    They are none when no repository holds the root. Files that cannot be used count as absent.
    """
    places = list(root.parents)
    top = next((i for i, place in enumerate([root, *places]) if is_repository(place)), 0)
    rules = IgnoreRules()
    for place in reversed(places[:top]):
        inherited = root.relative_to(place).as_posix() + "/"
        for file in [_EXCLUDE_FILE, IGNORE_FILE] if place == places[top - 1] else [IGNORE_FILE]:
            with contextlib.suppress(DocumentRefusedError):
                rules = rules._with_file(place, file, above=inherited)
    return rules


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the top of a git repository, a worktree or a submodule."""
    mark = folder / ".git"
    try:
        return mark.is_file() or (mark / "HEAD").exists()
    except OSError:
        return False


def _bytewise(text: str) -> str:
    return text if text.isascii() else os.fsencode(text).decode("latin-1")
