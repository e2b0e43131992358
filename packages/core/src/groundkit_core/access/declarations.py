"""Reads what a document's front matter says about access to it.

    access-labels: [people, board]        or a list of lines `- people`, or one name
    access-class: memory

It can only narrow, so whatever looks like a declaration counts: also in front matter that is
not closed, in any case, nested or twice. What cannot be understood becomes a label that no
policy file can grant.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from groundkit_core.contracts.base import SOURCE_CLASSES, SourceClass
from groundkit_core.contracts.search import Name

UNREADABLE = "!unreadable"
"""The label of a document whose declaration cannot be understood; it is not a valid name."""

MAX_LINES = 1000
"""Declarations stand within so many lines, which hold a million characters at the most."""

_MAX_CHARS = 1_000_000
_CLOSINGS = {"---": ("---", "..."), "+++": ("+++",)}
_KEY = re.compile(
    r"\s*[\"']?access[-_](?P<what>labels?|class)[\"']?\s*[:=](?P<value>.*)", re.IGNORECASE
)
_ITEM = re.compile(r"\s*-\s(?P<value>.*)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


@dataclass(frozen=True, slots=True)
class Declared:
    """What a document says of itself.

    Attributes:
        labels: labels that a reader must hold besides those of the policy's rules.
        source_class: a narrower class; None says nothing.
    """

    labels: frozenset[str] = frozenset()
    source_class: SourceClass | None = None


def declared(text: str) -> Declared:
    """Return what the front matter of a document declares.

    Args:
        text: the decoded document, without a BOM; front matter starts on its first line.
    """
    if not text.startswith(tuple(_CLOSINGS)):
        return Declared()
    lines = text[:_MAX_CHARS].splitlines()[: MAX_LINES + 1]
    closings = _CLOSINGS.get(lines[0].rstrip(), ())
    if not closings:
        return Declared()
    body = list(itertools.takewhile(lambda line: line.rstrip() not in closings, lines[1:]))
    return _declared(body)


def _declared(body: Sequence[str]) -> Declared:
    labels: set[str] = set()
    classes: set[str] = set()
    for number, line in enumerate(body):
        found = _KEY.match(line)
        if found is None:
            continue
        values = _values(_bare(found["value"]), body[number + 1 :])
        if found["what"].lower() == "class":
            classes.update(value.lower() for value in values)
        else:
            labels.update(value if _is_name(value) else UNREADABLE for value in values)
    known = [name for name in SOURCE_CLASSES if name in classes]
    if len(classes) > 1 or len(known) != len(classes):
        labels.add(UNREADABLE)
    return Declared(frozenset(labels), known[0] if len(classes) == 1 and known else None)


def _values(value: str, after: Sequence[str]) -> list[str]:
    if value.startswith("["):
        return _flow([value, *map(_bare, after)])
    if value:
        return [_unquoted(value)]
    return [_unquoted(_bare(item)) for item in _items(after)] or [UNREADABLE]


def _flow(lines: Sequence[str]) -> list[str]:
    """Return the values of a list in brackets, which may go on in the next lines."""
    parts: list[str] = []
    for line in lines:
        parts.append(line)
        if "]" in line:
            break
    inner, closed, rest = "".join(parts)[1:].partition("]")
    if not closed or rest.strip():
        return [UNREADABLE]
    values = inner.strip().removesuffix(",")
    return [_unquoted(value.strip()) for value in values.split(",")] if values.strip() else []


def _items(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        item = _ITEM.match(line)
        if item is not None:
            yield item["value"]
        elif _bare(line):
            return


def _bare(value: str) -> str:
    return _COMMENT.sub("", value).strip()


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _is_name(value: str) -> bool:
    try:
        _NAME.validate_python(value)
    except ValidationError:
        return False
    return True
