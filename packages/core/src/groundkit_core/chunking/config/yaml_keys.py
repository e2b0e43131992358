"""The keys of YAML, by their indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from groundkit_core.chunking.config.keys import MAX_DEPTH, Key

_LINE = re.compile(r"(?P<indent>[ ]*)(?P<dashes>(?:-[ \t]+)*)(?P<rest>[^\n]*)(?:\n|\Z)")
_KEY = re.compile(
    r"""(?:[&!]\S++[ \t]++)*+(?:"([^"\n]++)"[ \t]*+|'([^'\n]++)'[ \t]*+"""
    r"""|((?:[^\s#\-\[\]{}&*!|>%@`"',?:]|-[^\s:])[^\n:]*+(?::(?!\s|$)[^\n:]*+)*+)):(?=\s|$)"""
)
_BLOCK_SCALAR = re.compile(r"(?:.*[\s:]|)[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?$")
_DOCUMENT = re.compile(r"---(?:\s|$)")


@dataclass(slots=True)
class _Scope:
    """An open key or element of a list.

    Attributes:
        indent: the column that it starts at.
        element: whether it is an element.
        depth: how many keys and elements hold it, itself included.
        elements: how many elements of it were seen.
    """

    indent: int
    element: bool
    depth: int
    elements: int = 0


def yaml_keys(text: str) -> Iterator[Key]:
    """The keys of mappings and the elements of lists that hold any, in order.

    A line `---` between documents belongs to no key. Flow style is not looked into.
    """
    reader = _Reader()
    at = 0
    while at < len(text):
        found = _LINE.match(text, at)
        if found is None:
            break
        rest = found["rest"]
        if rest.strip() or found["dashes"]:
            yield from reader.read(at, len(found["indent"]), found["dashes"], rest)
        at = found.end()


class _Reader:
    def __init__(self) -> None:
        self._scopes: list[_Scope] = []
        self._top = _Scope(-1, element=False, depth=0)
        self._scalar: int | None = None  # the indentation of what a block scalar belongs to

    def read(self, start: int, indent: int, dashes: str, rest: str) -> Iterator[Key]:
        if self._scalar is not None:
            if indent > self._scalar:
                return
            self._scalar = None
        if rest.startswith("#") and not dashes:
            return
        if indent == 0 and not dashes and _DOCUMENT.match(rest):
            self._scopes.clear()
            self._top.elements = 0
            yield Key(start, 0, "")
            return
        yield from self._elements(start, indent, dashes)
        yield from self._key(start, indent + len(dashes), rest)
        if _BLOCK_SCALAR.match(rest):
            self._scalar = self._scopes[-1].indent if self._scopes else indent

    def _elements(self, start: int, indent: int, dashes: str) -> Iterator[Key]:
        for column in _columns(dashes):
            self._leave(indent + column, element=True)
            holder = self._scopes[-1] if self._scopes else self._top
            scope = _Scope(indent + column, element=True, depth=holder.depth + 1)
            if scope.depth <= MAX_DEPTH:
                yield Key(start, scope.depth, f"[{holder.elements}]")
            holder.elements += 1
            self._scopes.append(scope)

    def _key(self, start: int, column: int, rest: str) -> Iterator[Key]:
        found = _KEY.match(rest)
        if found is None:
            return
        self._leave(column, element=False)
        depth = (self._scopes[-1].depth if self._scopes else 0) + 1
        self._scopes.append(_Scope(column, element=False, depth=depth))
        if depth <= MAX_DEPTH:
            name = next(filter(None, found.groups()), "")
            yield Key(start, depth, name)

    def _leave(self, column: int, *, element: bool) -> None:
        """Leaves what does not hold a key or an element at a column."""
        scopes = self._scopes
        while scopes:
            last = scopes[-1]
            # Elements may stand at the column of the key they belong to.
            holds = last.indent < column or (element and last.indent == column and not last.element)
            if holds:
                return
            scopes.pop()


def _columns(dashes: str) -> Iterator[int]:
    return (column for column, char in enumerate(dashes) if char == "-")
