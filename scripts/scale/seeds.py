"""The real documents that corpora are spliced from."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.bench import corpus
from scripts.bench.errors import BenchError
from scripts.scale.pieces import pieces, title

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.text import decode

DEBIAN = Path("/usr/share/doc")
ENOUGH_BYTES = 40_000_000
_SUFFIXES = frozenset({".md", ".rst", ".txt"})
_LEAST_BYTES = 500
_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Seed:
    """A real document in pieces."""

    title: str
    pieces: tuple[str, ...]


def locate(given: Path | None, debian: Path = DEBIAN) -> Path:
    """The folder or archive to splice from.

    Args:
        given: what was asked for; None takes Debian's documentation where it holds enough
            text, else the Markdown archive beside the checkout.
        debian: where Debian keeps documentation.

    Raises:
        CorpusAbsentError: nothing was asked for, and neither is there.
        BenchError: what was asked for does not exist.
    """
    if given is None and sum(path.stat().st_size for path in text_files(debian)) >= ENOUGH_BYTES:
        return debian
    return corpus.locate(given)


def text_files(root: Path) -> Iterator[Path]:
    """The text files of a sensible size below a folder, in the order of their paths."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in _SUFFIXES and _is_fit(path):
                yield path


def _is_fit(path: Path) -> bool:
    status = path.lstat()
    return stat.S_ISREG(status.st_mode) and _LEAST_BYTES <= status.st_size <= _MOST_BYTES


def read_seeds(paths: Iterable[Path]) -> list[Seed]:
    """Cut the documents into pieces; each piece is kept where it is met first.

    Files that are no text are passed over.

    Raises:
        BenchError: there is nothing to splice.
    """
    seen: set[bytes] = set()
    seeds = []
    for path in paths:
        text = _text(path)
        fresh = tuple(piece for piece in pieces(text) if _is_new(piece, seen))
        if fresh:
            seeds.append(Seed(title(text) or path.stem, fresh))
    if not seeds:
        raise BenchError("there is no text to splice corpora from")
    return seeds


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes(), detect=False).text
    except DocumentRefusedError:
        return ""


def _is_new(piece: str, seen: set[bytes]) -> bool:
    digest = hashlib.blake2b(piece.encode(), digest_size=12).digest()
    if digest in seen:
        return False
    seen.add(digest)
    return True
