"""Definitions of source code by tree-sitter, where its packages are installed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Literal

from groundkit_core.chunking.code.definitions import MAX_NESTING, Line, Mark, MarkKind, Outline
from groundkit_index.outlines.grammars import ALTERNATIVES, GRAMMARS
from groundkit_index.outlines.names import names_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, Tree

MAX_CHARS = 500_000
"""Longer files are outlined by patterns."""

MAX_SECONDS = 3.0
"""Parsing stops here: on what is no code of its language a parser may take hours."""

MOST_PIECES = 2_000
"""Queries take quadratic time on an error of more pieces."""

MOST_ANGLES = 200
_GENERIC = frozenset({"c", "cpp", "csharp", "java", "typescript"})
_STATEMENT_END = re.compile(r"[>;{}]")
_PIECE = 2**16
_CLOSER = re.compile(r"[\])}>;,\s]*(?:end\b)?[\])}>;,.\s]*$")
_LIKE_CPP = re.compile(r"\b(?:class|namespace|template)\b|::")
_MACROS_ALONE = frozenset({"c", "cpp"})
_MACRO_ALONE = re.compile(r"^[ \t]*[A-Z][A-Z0-9_]{3,}[ \t]*$", re.MULTILINE)
"""A line such as `BEGIN_NAMESPACE`, which no grammar of C can know."""

_SLACK = 2
"""A definition may end so many bytes before its wrapper, such as at a semicolon."""

Capture = Literal["container", "function", "wrapper", "comment", "open"]


@cache
def has_grammars() -> bool:
    """Return whether the parser is installed."""
    return find_spec("tree_sitter") is not None


def outline_of(text: str, language: str) -> Outline | None:
    """Return the definitions of a source file; None where no grammar is installed.

    Code with syntax errors is outlined as far as it can be parsed, and what takes longer than
    `MAX_SECONDS` not at all. Else the same text gives the same outline with the same versions of
    the packages.

    Args:
        text: with unified newlines.
        language: such as `python`.
    """
    if len(text) > MAX_CHARS or (language in _GENERIC and _is_ambiguous(text)):
        return None
    best: _Parsed | None = None
    if language in _MACROS_ALONE:
        source = _MACRO_ALONE.sub(lambda found: " " * len(found.group()), text)
    else:
        source = text
    for name in ALTERNATIVES.get(language, (language,)):
        if best is not None and language == "c" and not _LIKE_CPP.search(text):
            break
        parsed = _parsed(source, name)
        if parsed is not None and (best is None or parsed.errors < best.errors):
            best = parsed
        if best is not None and not best.errors:
            break
    return None if best is None else _outline(text, best)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A syntax tree, which its nodes must not outlive, and how many errors it holds."""

    tree: Tree
    captures: dict[str, list[Node]]
    errors: int


def _parsed(text: str, name: str) -> _Parsed | None:
    tools = _tools(name)
    if tools is None:
        return None
    from tree_sitter import QueryCursor

    parser, query = tools
    tree = _tree(parser, text.encode("utf-8", "replace"))
    if tree is None or _is_shattered(tree.root_node):
        return None
    captures = QueryCursor(query).captures(tree.root_node)
    return _Parsed(tree, captures, len(captures.pop("error", [])))


def _tree(parser: Parser, data: bytes) -> Tree | None:
    stop = monotonic() + MAX_SECONDS
    try:
        return parser.parse(
            lambda at, _: data[at : at + _PIECE],
            progress_callback=lambda *_: monotonic() > stop,
        )
    except ValueError:
        return None
    finally:
        parser.reset()


def _is_ambiguous(text: str) -> bool:
    """Whether a statement has more `<` than a parser of generics can weigh."""
    return any(part.count("<") > MOST_ANGLES for part in _STATEMENT_END.split(text))


def _is_shattered(root: Node) -> bool:
    errors = (node for node in (root, *root.children) if node.type == "ERROR")
    return any(node.child_count > MOST_PIECES for node in errors)


@cache
def _tools(name: str) -> tuple[Parser, Query] | None:
    """The parser of a language and the query for its definitions."""
    grammar = GRAMMARS.get(name)
    if grammar is None:
        return None
    try:
        from tree_sitter import Language, Parser, Query

        language = Language(getattr(import_module(grammar.module), grammar.function)())
    except ImportError:
        return None
    return Parser(language), Query(language, f"{grammar.query()}\n(ERROR) @error")


@dataclass(frozen=True, slots=True)
class _Definition:
    """A definition: its first row with comments above, its last row, its path and depth."""

    first: int
    last: int
    path: tuple[str, ...]
    depth: int
    kind: MarkKind


def _outline(text: str, parsed: _Parsed) -> Outline:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    definitions = list(_definitions(parsed.captures, lines))
    marks = [Mark(0, ())]
    for row, path, depth, kind in _rows(definitions, lines):
        mark = Mark(starts[row], path, depth, kind)
        if mark.start == marks[-1].start:
            marks.pop()
        marks.append(mark)
    return Outline(marks, _stretches(lines, starts, {mark.start for mark in marks}))


def _definitions(captures: dict[str, list[Node]], lines: Sequence[str]) -> Iterator[_Definition]:
    """The definitions in order, outer ones first; of those that share a line only one."""
    above = _rows_of_comments(captures.get("comment", ()), lines)
    opened: list[tuple[int, tuple[str, ...]]] = []
    base: tuple[str, ...] = ()
    wrapper: tuple[int, int, int, int] | None = None
    last_row = -1
    for kind, node in _ordered(captures):
        begin, end = node.start_byte, node.end_byte
        while opened and opened[-1][0] <= begin:
            opened.pop()
        if kind == "wrapper":
            if wrapper is None or not end <= wrapper[1] <= end + _SLACK:
                wrapper = (begin, end, node.start_point[0], node.end_point[0])
            continue
        around, wrapper = wrapper, None
        if kind == "open":
            holds = node.child_by_field_name("body") is not None
            if not holds:
                base = tuple(names_of(node))[:MAX_NESTING]
                opened.clear()
                continue
            kind = "container"
        names = names_of(node)
        if not names or len(opened) >= MAX_NESTING:
            continue
        first, last = node.start_point[0], node.end_point[0]
        if around and around[0] <= begin and end <= around[1] <= end + _SLACK:
            first, last, end = around[2], around[3], around[1]
        path = (*(opened[-1][1] if opened else base), *names)[-MAX_NESTING:]
        opened.append((end, path))
        while first - 1 in above and first - 1 > last_row:
            first -= 1
        if first > last_row or last_row < 0:
            mark: MarkKind = "container" if kind == "container" else "function"
            yield _Definition(first, last, path, len(opened), mark)
            last_row = first


def _ordered(captures: dict[str, list[Node]]) -> list[tuple[str, Node]]:
    found = [
        (kind, node) for kind, nodes in captures.items() if kind != "comment" for node in nodes
    ]
    found.sort(key=lambda one: (one[1].start_byte, -one[1].end_byte, one[0] != "wrapper"))
    return found


def _rows_of_comments(nodes: Sequence[Node], lines: Sequence[str]) -> set[int]:
    """The rows that hold nothing but comments and attributes."""
    rows: set[int] = set()
    for node in nodes:
        first, last = node.start_point[0], node.end_point[0]
        if node.end_point[1] == 0 and last > first:
            last -= 1
        line = lines[first]
        indent = len(line) - len(line.lstrip())
        ends = node.end_point[1] or len(lines[last].encode())
        if node.start_point[1] <= indent and ends >= len(lines[last].rstrip().encode()):
            rows.update(range(first, last + 1))
    return rows


def _rows(
    definitions: Sequence[_Definition], lines: Sequence[str]
) -> Iterator[tuple[int, tuple[str, ...], int, MarkKind]]:
    """Where a definition starts, and where its scope goes on behind one inside it."""
    opened: list[_Definition] = []
    for definition in [*definitions, None]:
        first = len(lines) if definition is None else definition.first
        while opened and (definition is None or opened[-1].depth >= definition.depth):
            inner = opened.pop()
            outer = opened[-1] if opened else None
            until = first if outer is None else min(first, outer.last + 1)
            row = _first_row(lines, inner.last + 1, until)
            if row is not None:
                yield row, outer.path if outer else inner.path[:0], len(opened), "rest"
        if definition is None:
            return
        yield definition.first, definition.path, definition.depth, definition.kind
        opened.append(definition)


def _first_row(lines: Sequence[str], first: int, until: int) -> int | None:
    """The first row that is more than brackets which close."""
    return next((row for row in range(first, until) if not _CLOSER.match(lines[row])), None)


def _stretches(lines: Sequence[str], starts: Sequence[int], marks: set[int]) -> list[Line]:
    """Where lines follow a blank one, and where marks are."""
    found: list[Line] = []
    blank = True
    for line, start in zip(lines, starts, strict=False):
        visible = line.lstrip()
        if visible and (blank or start in marks):
            head = line[: len(line) - len(visible)]
            found.append(Line(start, len(head.expandtabs(4))))
        blank = not visible
    return found
