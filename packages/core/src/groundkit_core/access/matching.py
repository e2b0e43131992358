"""Finds the rules that match a path, fast enough to ask for every document of an index."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from groundkit_core.access.globs import glob_regex, literal_folder, normalized
from groundkit_core.access.rules import Rule

_Matchers = tuple[tuple[int, re.Pattern[str]], ...]


class RuleMatcher:
    """Finds the rules of one collection that match a path.

    Patterns that begin with a plain folder are looked up by it; the others are first tried
    all at once.

    Args:
        rules: all rules of the policy, in order.
        collection: the collection.
    """

    def __init__(self, rules: Sequence[Rule], collection: str) -> None:
        anywhere: dict[int, list[str]] = defaultdict(list)
        by_folder: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for number, rule in enumerate(rules):
            if rule.collections is None or collection in rule.collections:
                for pattern in rule.paths:
                    folder = literal_folder(pattern)
                    place = anywhere if folder is None else by_folder[normalized(folder)]
                    place[number].append(glob_regex(pattern))
        self._roots = {n: rule.roots for n, rule in enumerate(rules) if rule.roots is not None}
        self._anywhere = _compiled(anywhere)
        self._any = (
            re.compile("|".join(_joined(r) for r in anywhere.values())) if anywhere else None
        )
        self._by_folder = {folder: _compiled(found) for folder, found in by_folder.items()}

    def matching(self, source: str, root: str) -> tuple[int, ...]:
        """Return the places of the rules that match, from 0, in order.

        Args:
            source: the path below its root, in POSIX form.
            root: the root's name.
        """
        path = normalized(source)
        found: list[int] = []
        if self._any is not None and self._any.fullmatch(path):
            found = [number for number, regex in self._anywhere if regex.fullmatch(path)]
        folder = self._by_folder.get(path.partition("/")[0])
        if folder is not None:
            found += [number for number, regex in folder if regex.fullmatch(path)]
        if not found:
            return ()
        return tuple(self._in_root(sorted(set(found)), root))

    def _in_root(self, numbers: Iterable[int], root: str) -> Iterable[int]:
        roots = self._roots
        return (n for n in numbers if n not in roots or root in roots[n])


def _compiled(patterns: Mapping[int, Sequence[str]]) -> _Matchers:
    return tuple((number, re.compile(_joined(regexes))) for number, regexes in patterns.items())


def _joined(regexes: Sequence[str]) -> str:
    return "|".join(regexes)
