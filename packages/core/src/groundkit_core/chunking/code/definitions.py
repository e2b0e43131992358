"""A line-based scan for the definitions of a source file and how they nest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from groundkit_core.chunking.code.languages import Language
from groundkit_core.chunking.code.masking import COMMENT, INNER_LINE_END, mask

MAX_NESTING = 8
"""Definitions nested deeper count as part of the one around them."""

MAX_SIGNATURE_CHARS = 200
"""How much of a line is looked at for a definition."""

_INDENT = re.compile(r"[ \t]*")
_CLOSER = re.compile(rf"(?:[\])}}>;,]+|end\b[;.]?)[\])}}>;,\s{COMMENT}]*$")
_BEGINS_WITH_CLOSER = re.compile(r"[\])}]|end\b|(?:else|elsif|elif|rescue|ensure|except|finally)\b")
_DECORATOR = re.compile(r"@[\w.]|#!?\[|\[[A-Z\w]|template\s*<")
_OPENS_LATER = re.compile(r"[{(:]|where\b|throws\b|const\b|noexcept\b|override\b|->|=>")
_NAME = re.compile(r"[\w$.?!=#:~%/{}()-]+")


MarkKind = Literal["container", "function", "rest"]


class Mark(NamedTuple):
    """Where the lines of a scope start: a definition, or what follows one inside another.

    Attributes:
        start: the first line's offset; decorators and comments above are included.
        path: the qualified name, outermost first.
        depth: how many scopes hold the line, its own included.
        kind: a `container` is made to hold other definitions, as a class is; a `rest`
            goes on with a scope behind a definition inside it.
    """

    start: int
    path: tuple[str, ...]
    depth: int = 0
    kind: MarkKind = "rest"


class Line(NamedTuple):
    """The start of a stretch without blank lines: its offset and indentation."""

    start: int
    indent: int


class Outline(NamedTuple):
    """The scopes of a file, and where its stretches start, in order."""

    marks: list[Mark]
    stretches: list[Line]


@dataclass(slots=True)
class _Scope:
    """An open definition: braces or columns it stands at, and whether its body was seen."""

    level: int
    indent: int
    path: tuple[str, ...]
    container: bool
    opened: bool = False


@dataclass(slots=True)
class _Scanner:
    language: Language
    text: str
    marks: list[Mark] = field(default_factory=list)
    stretches: list[Line] = field(default_factory=list)
    scopes: list[_Scope] = field(default_factory=list)
    depth: int = 0
    blank: bool = True
    lead: int | None = None  # where the comments and decorators of what follows start
    decorator: int | None = None  # the indentation of the last decorator among them


def outline(text: str, language: Language) -> Outline:
    """The definitions of a source file, best effort; `text` has unified newlines."""
    scanner = _Scanner(language, text, marks=[Mark(0, ())])
    for start, line in _lines(mask(text, language.tokens)):
        _read(scanner, start, line)
    return Outline(scanner.marks, scanner.stretches)


def _lines(masked: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in masked.split("\n"):
        yield start, line
        start += len(line) + 1


def _read(scanner: _Scanner, start: int, line: str) -> None:
    found = _INDENT.match(line)
    first = found.end() if found else 0
    if first == len(line) or line.isspace():
        scanner.blank, scanner.lead = True, None
        return
    indent = first if "\t" not in line[:first] else len(line[:first].expandtabs(4))
    if scanner.blank:
        scanner.stretches.append(Line(start, indent))
        scanner.blank = False
    if line[first] == COMMENT and not line[first:].strip(f"{COMMENT}{INNER_LINE_END} \t"):
        _lead(scanner, start)
        return
    _read_code(scanner, start, line, first, indent)


def _lead(scanner: _Scanner, start: int) -> None:
    if scanner.lead is None:
        scanner.lead, scanner.decorator = start, None


def _read_code(scanner: _Scanner, start: int, line: str, first: int, indent: int) -> None:
    closes = _BEGINS_WITH_CLOSER.match(line, first) is not None
    if not closes:
        _leave(scanner, line, first, indent)
    if _DECORATOR.match(line, first):
        _lead(scanner, start)
        scanner.decorator = indent
    elif not _define(scanner, start, line, indent):
        _go_on(scanner, start, line, first, indent)
    if scanner.language.scoping == "braces":
        _count_braces(scanner, line)
    elif scanner.language.scoping == "statement" and line.rstrip(f" {COMMENT}").endswith(";"):
        scanner.scopes.clear()


def _leave(scanner: _Scanner, line: str, first: int, indent: int) -> None:
    """Leaves the scopes that a line which is indented no deeper is not part of."""
    scopes = scanner.scopes
    if scanner.language.scoping == "indent":
        while scopes and indent <= scopes[-1].indent:
            scopes.pop()
    elif scanner.language.scoping == "braces":
        unopened = scopes and not scopes[-1].opened and scopes[-1].level == scanner.depth
        if unopened and indent <= scopes[-1].indent and not _OPENS_LATER.match(line, first):
            scopes.pop()


def _define(scanner: _Scanner, start: int, line: str, indent: int) -> bool:
    """Opens the scope of the definition on a line, if there is one."""
    if len(scanner.scopes) >= MAX_NESTING:
        return False
    names, container = _names(scanner, start, line)
    if not names:
        return False
    above = scanner.scopes[-1].path if scanner.scopes else ()
    path = (*above, *names)[-MAX_NESTING:]
    first = start if scanner.lead is None else scanner.lead
    kind: MarkKind = "container" if container else "function"
    _mark(scanner, Mark(first, path, len(scanner.scopes) + 1, kind), indent)
    scanner.scopes.append(_Scope(scanner.depth, indent, path, container))
    scanner.lead = None
    return True


def _names(scanner: _Scanner, start: int, line: str) -> tuple[list[str], bool]:
    language, end = scanner.language, min(len(line), MAX_SIGNATURE_CHARS)
    inside = scanner.scopes[-1] if scanner.scopes else None
    members = language.members if _holds_members(scanner, inside) else None
    for pattern in (language.containers, language.functions, members):
        found = pattern.match(line, 0, end) if pattern else None
        if found:
            parts = (
                scanner.text[start + found.start(group) : start + found.end(group)]
                for group in range(1, (found.re.groups or 0) + 1)
                if found.start(group) >= 0
            )
            names = [name for part in parts for name in _split(part)]
            return names, pattern is language.containers
    return [], False


def _holds_members(scanner: _Scanner, scope: _Scope | None) -> bool:
    return scope is not None and scope.container and scanner.depth == scope.level + 1


def _split(part: str) -> list[str]:
    """The names in what a pattern found: `Outer::inner` and quoted labels are several."""
    return [name for word in _NAME.findall(part) for name in word.split("::") if name]


def _go_on(scanner: _Scanner, start: int, line: str, first: int, indent: int) -> None:
    """Takes a line that defines nothing; behind a definition it belongs to the outer scope."""
    if scanner.lead is not None and _is_in_decorator(scanner, line[first], indent):
        return
    path = scanner.scopes[-1].path if scanner.scopes else ()
    if path != scanner.marks[-1].path and not _CLOSER.match(line, first):
        first = start if scanner.lead is None else scanner.lead
        _mark(scanner, Mark(first, path, len(scanner.scopes)), indent)
    scanner.lead = None


def _is_in_decorator(scanner: _Scanner, head: str, indent: int) -> bool:
    """Whether a line goes on with a decorator that takes several lines."""
    return scanner.decorator is not None and (indent > scanner.decorator or head in ")]}")


def _mark(scanner: _Scanner, mark: Mark, indent: int) -> None:
    if scanner.marks[-1].start == mark.start:
        scanner.marks.pop()
    scanner.marks.append(mark)
    if scanner.stretches[-1].start < mark.start:
        scanner.stretches.append(Line(mark.start, indent))


def _count_braces(scanner: _Scanner, line: str) -> None:
    opening = line.count("{")
    if opening:
        for scope in reversed(scanner.scopes):
            if scope.opened:
                break
            scope.opened = True
    scanner.depth += opening - line.count("}")
    scopes = scanner.scopes
    while scopes and scanner.depth < scopes[-1].level + scopes[-1].opened:
        scopes.pop()
    ended = line.rstrip(f" \t{COMMENT}").endswith(";")
    if ended and scopes and not scopes[-1].opened and scopes[-1].level == scanner.depth:
        scopes.pop()
