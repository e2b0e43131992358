"""The patterns of one `.gitignore` file, matched entry by entry as git does.

A walk asks about each file and folder once and does not enter what is ignored, so a pattern
is matched with the entry itself, never with what lies beneath it. Bytes are compared, as git
compares them: patterns and names are taken as Latin-1 strings of their bytes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundkit_index.sources.glob import path_regex

MAX_RULES = 10_000
_MAX_LINE = 4096  # bytes; no path is longer


@dataclass(frozen=True, slots=True)
class _Rule:
    regex: str
    by_name: bool
    folders_only: bool
    ignores: bool


@functools.lru_cache(maxsize=MAX_RULES)
def _compiled(regex: str) -> re.Pattern[str]:
    return re.compile(regex)


class _Matcher:
    """Finds the last of several rules that matches."""

    def __init__(self, rules: Sequence[tuple[int, _Rule]]) -> None:
        self._last_first = rules[::-1]

    @functools.cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile("|".join(rule.regex for _, rule in self._last_first))

    def last(self, text: str) -> tuple[int, bool] | None:
        """Return the position of the rule and whether it ignores; None when none matches."""
        if not self._last_first or not self._any.fullmatch(text):
            return None
        for position, rule in self._last_first:
            if _compiled(rule.regex).fullmatch(text):
                return position, rule.ignores
        return None


class RuleSet:
    """The rules of one file, in order; the last one that matches decides."""

    def __init__(self, rules: Sequence[_Rule]) -> None:
        numbered = list(enumerate(rules))
        for_files = [(i, rule) for i, rule in numbered if not rule.folders_only]
        self._files = _by_name_and_path(for_files)
        self._folders = _by_name_and_path(numbered)
        self._size = len(rules)

    def __len__(self) -> int:
        return self._size

    def verdict(self, name: str, path: str, *, is_folder: bool) -> bool | None:
        """Return whether an entry is ignored, or None when no rule matches it.

        Args:
            name: the entry's name, bytes as Latin-1.
            path: its path below the folder of the `.gitignore` file, bytes as Latin-1.
            is_folder: whether it is a folder; a link is none.
        """
        names, paths = self._folders if is_folder else self._files
        by_name, by_path = names.last(name), paths.last(path)
        if by_name is None or by_path is None:
            decisive = by_name or by_path
            return decisive[1] if decisive else None
        return max(by_name, by_path)[1]


def _by_name_and_path(rules: Sequence[tuple[int, _Rule]]) -> tuple[_Matcher, _Matcher]:
    return (
        _Matcher([(i, rule) for i, rule in rules if rule.by_name]),
        _Matcher([(i, rule) for i, rule in rules if not rule.by_name]),
    )


@functools.lru_cache(maxsize=64)
def parse_rules(data: bytes) -> RuleSet:
    """Return the rules of a `.gitignore` file; what git would not match is left out."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    rules = (_parse_line(line.removesuffix("\r")) for line in text.split("\n"))
    return RuleSet([rule for rule in rules if rule is not None])


def _parse_line(line: str) -> _Rule | None:
    if line.startswith("#") or len(line) > _MAX_LINE:
        return None
    pattern = _trim(line)
    negated = pattern.startswith("!")
    pattern = pattern[1:] if negated else pattern
    folders_only = pattern.endswith("/")
    pattern = pattern[:-1] if folders_only else pattern
    by_name = "/" not in pattern
    regex = path_regex(pattern.removeprefix("/")) if pattern else None
    return _Rule(regex, by_name, folders_only, not negated) if regex is not None else None


def _trim(line: str) -> str:
    """Drop trailing spaces; a backslash keeps the one behind it."""
    trimmed = line.rstrip(" ")
    backslashes = len(trimmed) - len(trimmed.rstrip("\\"))
    return trimmed + " " if backslashes % 2 and trimmed != line else trimmed
