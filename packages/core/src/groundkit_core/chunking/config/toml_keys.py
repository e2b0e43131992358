"""The tables and keys of TOML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundkit_core.chunking.code.masking import PYTHON_TOKENS, mask
from groundkit_core.chunking.config.keys import MAX_DEPTH, Key

_TABLE = re.compile(r"[ \t]*(\[\[?)([^\[\]]++)\]\]?[ \t]*(?:\x01.*)?$", re.DOTALL)
_KEY = re.compile(r"[ \t]*([^\s\[\]{},=#\x01][^\[\]{},=#\n\x01]*+)=")
_NAME = re.compile(r"""("[^"\n]*"|'[^'\n]*'|[^.\s"']++)\s*+(?:\.|$)""")
_BRACKETS = re.compile(r"[\[\]{}]")

Names = tuple[str, ...]


def toml_keys(text: str) -> Iterator[Key]:
    """The tables of a file and the keys in them, in order.

    A table stands inside those that its name starts with; of an array of tables each counts
    from 0.
    """
    counts: dict[Names, int] = {}
    table: Names = ()
    start = nesting = 0
    # Strings and comments are blotted out, so that their lines and brackets do not count.
    for line in mask(text, PYTHON_TOKENS).split("\n"):
        found = _TABLE.match(line) if nesting == 0 else None
        key = _KEY.match(line) if nesting == 0 and found is None else None
        if found:
            names = _names(text[start + found.start(2) : start + found.end(2)])
            before, table = table, _numbered(names, counts, array=len(found.group(1)) == 2)
            yield from _opened(before, table, start)
        else:
            if key and len(table) < MAX_DEPTH:
                name = text[start + key.start(1) : start + key.end(1)].strip()
                yield Key(start, len(table) + 1, name.strip("\"'"))
            for bracket in _BRACKETS.findall(line):
                nesting = max(nesting + (1 if bracket in "[{" else -1), 0)
        start += len(line) + 1


def _names(source: str) -> list[str]:
    return [name.strip("\"'") for name in _NAME.findall(source)][:MAX_DEPTH] or [source]


def _numbered(names: list[str], counts: dict[Names, int], *, array: bool) -> Names:
    """The names with the numbers of the arrays they stand in, each as a name of its own."""
    path: Names = ()
    for number, name in enumerate(names, 1):
        path = (*path, name)
        if array and number == len(names):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, f"[{counts[path]}]")
    return path[:MAX_DEPTH]


def _opened(before: Names, table: Names, start: int) -> Iterator[Key]:
    """The tables that are opened where `table` follows `before`."""
    shared = 0
    for ours, theirs in zip(before, table, strict=False):
        if ours != theirs:
            break
        shared += 1
    for depth in range(min(shared, len(table) - 1), len(table)):
        yield Key(start, depth + 1, table[depth])
