"""Keys of a configuration file, and which of them become sections of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_DEPTH = 8
"""Keys nested deeper are part of the one around them."""

MAX_NAME_CHARS = 200

Path = tuple[str, ...]


class Key(NamedTuple):
    """Where a key, table or element of an array starts.

    Attributes:
        start: its first code point, at the start of a line where possible.
        depth: how many keys hold it, itself included; 0 for what belongs to none.
        name: without quotes; of an element `[3]`.
    """

    start: int
    depth: int
    name: str


class Part(NamedTuple):
    """A stretch of text with the path of the key that it belongs to."""

    start: int
    path: Path


def parts(keys: Iterable[Key], end: int, longest: int) -> Iterator[Part]:
    """The keys that become sections: those of the top, and those inside longer ones.

    Args:
        keys: in order; a key is followed by the keys inside it.
        end: the length of the text.
        longest: a key up to this length in code points is not taken apart.
    """
    found = list(keys)
    ends = _ends(found, end)
    path: list[str] = []
    whole = 0  # keys that start before this are inside one that is not taken apart
    for number, (key, stop) in enumerate(zip(found, ends, strict=True)):
        del path[max(key.depth - 1, 0) :]
        path.append(key.name)
        first = found[number + 1] if number + 1 < len(found) else None
        if key.start < whole or (first and first.start == key.start and ends[number + 1] == stop):
            continue
        yield Part(key.start, _joined(path) if key.depth else ())
        if stop - key.start <= longest:
            whole = stop


def _ends(keys: list[Key], end: int) -> list[int]:
    """Where each key ends: at the next one that is not inside it."""
    ends = [end] * len(keys)
    opened: list[int] = []
    for number, key in enumerate(keys):
        while opened and keys[opened[-1]].depth >= key.depth:
            ends[opened.pop()] = key.start
        opened.append(number)
    return ends


def _joined(path: Iterable[str]) -> Path:
    """The path with the elements of arrays joined to their names, as in `servers[3]`."""
    names: list[str] = []
    for name in path:
        if names and name.startswith("[") and name.endswith("]"):
            names[-1] += name
        else:
            names.append(name)
    return tuple(" ".join(name[:MAX_NAME_CHARS].split()) for name in names)
