"""The files of a corpus, sorted by format into folders that are ingested one after the other."""

from __future__ import annotations

import os
import shutil
import stat
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from groundkit_core.kinds import kind_of
from groundkit_index.sources.archive.formats import format_of_name

ARCHIVE, OTHER = "archive", "other"
"""Formats of files that are read member by member, and of those whose name tells nothing."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Staged:
    """A file of the corpus.

    Attributes:
        path: its path below the corpus.
        source: its path below the folder of its format.
        size: bytes.
    """

    path: str
    source: str
    size: int


def format_of(name: str) -> str:
    """Return the format of a file by its name: a language for code and configuration."""
    if format_of_name(name) is not None:
        return ARCHIVE
    kind = kind_of(name)
    return (kind.language or kind.name) if kind else OTHER


def stage(corpus: Path, target: Path, limit: int | None = None) -> dict[str, list[Staged]]:
    """Copy a corpus to `target/<format>/<number>/<name>`, and return what is where.

    Names stay, because they tell the kind; folders go, because some are passed over by name.

    Args:
        corpus: regular files at any depth; links are not followed.
        target: an empty folder.
        limit: files of each format to take, evenly over all; None takes them all.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for path in _files(corpus):
        found[format_of(path)].append(path)
    staged: dict[str, list[Staged]] = {}
    for name in sorted(found):
        chosen = evenly(found[name], limit)
        staged[name] = [_copied(corpus, path, target / name, n) for n, path in enumerate(chosen)]
    return staged


def evenly(items: Sequence[_T], limit: int | None) -> list[_T]:
    """Return at most `limit` of the items, evenly over all."""
    if limit is None or len(items) <= limit:
        return list(items)
    return [items[number * len(items) // limit] for number in range(limit)]


def _files(corpus: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(corpus):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if stat.S_ISREG(path.lstat().st_mode):
                yield path.relative_to(corpus).as_posix()


def _copied(corpus: Path, path: str, target: Path, number: int) -> Staged:
    source = f"{number:05}/{path.rpartition('/')[2]}"
    to = target / source
    to.parent.mkdir(parents=True)
    shutil.copyfile(corpus / path, to)
    return Staged(path, source, to.stat().st_size)
