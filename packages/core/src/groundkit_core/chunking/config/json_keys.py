"""The keys of JSON, and of JSON with comments and bare names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from groundkit_core.chunking.config.keys import MAX_DEPTH, Key

_TOKEN = re.compile(
    r'"(?P<text>(?:[^"\\\n]|\\.)*+)"?(?P<key>[ \t\n]*+:)?'
    r"|'(?P<quoted>(?:[^'\\\n]|\\.)*+)'(?P<single>[ \t\n]*+:)?"
    r"|(?P<bare>[A-Za-z_$][\w$]*+)(?P<colon>[ \t\n]*+:)?"
    r"|[{}\[\],]|//.*|/\*(?s:.*?)(?:\*/|\Z)"
)


@dataclass(slots=True)
class _Scope:
    """An open object or array: the depth of what is inside, and the number of its next element."""

    depth: int
    array: bool
    number: int = 0


def json_keys(text: str) -> Iterator[Key]:
    """The keys of objects, and the elements of arrays that are objects or arrays, in order."""
    scopes: list[_Scope] = []
    depth = 0  # of the key or element whose value comes next
    for found in _TOKEN.finditer(text):
        mark = found.group()
        inner = scopes[-1] if scopes else None
        if mark in {"{", "["}:
            if inner is not None and inner.array:
                depth = inner.depth
                if depth <= MAX_DEPTH:
                    yield Key(_line_start(text, found.start()), depth, f"[{inner.number}]")
            scopes.append(_Scope(depth + 1, mark == "["))
        elif mark in {"}", "]"}:
            if scopes:
                scopes.pop()
        elif mark == ",":
            if inner is not None and inner.array:
                inner.number += 1
        elif inner is not None and not inner.array and found.lastgroup in _COLONS:
            depth = inner.depth
            if depth <= MAX_DEPTH:
                name = next(filter(None, found.group("text", "quoted", "bare")), "")
                yield Key(_line_start(text, found.start()), depth, name)


_COLONS = frozenset({"key", "single", "colon"})


def _line_start(text: str, at: int) -> int:
    """The start of the line when only blanks stand before `at`, else `at`."""
    start = at
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return start if start == 0 or text[start - 1] == "\n" else at
