"""Configuration files to chunks along their sections and top-level keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.paragraphs import paragraph_starts
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

MAX_NAME_CHARS = 200
_TABLE = re.compile(r"^\[\[?[ \t]*([^\]\n]+?)[ \t]*\]\]?[ \t]*(?:[#;].*)?$", re.MULTILINE)
_YAML_KEY = re.compile(
    r"""^(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#\-\[\]{}&*!|>%@`"',?:][^:\n]*+))[ \t]*:(?=\s|$)""",
    re.MULTILINE,
)
_JSON_TOKEN = re.compile(
    r'"(?P<text>(?:[^"\\\n]|\\.)*+)"?(?P<key>[ \t\n]*+:)?|[{}\[\]]|//.*|/\*(?s:.*?)(?:\*/|\Z)'
)


class _Mark(NamedTuple):
    """Where a named section starts."""

    start: int
    name: str


def chunk_config(text: str, language: str, limits: Limits) -> ChunkedText:
    """Chunks a configuration file by section or top-level key, else by blank lines.

    Small sections share a chunk.

    Args:
        text: with unified newlines.
        language: such as `toml`, `yaml` or `json`; others have no sections.
        limits: sizes in code points.
    """
    marks = _MARKS.get(language, _no_marks)(text)
    return ChunkedText("", gather(text, _sections(text, marks), limits, share=4))


def _sections(text: str, marks: Iterator[_Mark]) -> Iterator[Section]:
    path: tuple[str, ...] = ()
    begin = 0
    for mark in marks:
        start = _with_comments(text, begin, mark.start)
        if start > begin:
            yield _section(text, path, begin, start)
        begin, path = start, (" ".join(mark.name[:MAX_NAME_CHARS].split()),)
    if begin < len(text):
        yield _section(text, path, begin, len(text))


def _section(text: str, path: tuple[str, ...], begin: int, end: int) -> Section:
    blocks = [
        Block(start, int(text.startswith((" ", "\t"), start)), lines=True)
        for start in paragraph_starts(text, begin, end)
    ]
    return Section(path, blocks, end)


def _with_comments(text: str, floor: int, start: int) -> int:
    """The start of the comment lines right above `start`, or `start`."""
    while start > floor and text[start - 1] == "\n":
        above = max(text.rfind("\n", floor, start - 1) + 1, floor)
        if not text[above:start].lstrip().startswith(("#", ";", "//")):
            break
        start = above
    return start


def _no_marks(_: str) -> Iterator[_Mark]:
    return iter(())


def _tables(text: str) -> Iterator[_Mark]:
    for found in _TABLE.finditer(text):
        yield _Mark(found.start(), found.group(1))


def _yaml_keys(text: str) -> Iterator[_Mark]:
    for found in _YAML_KEY.finditer(text):
        yield _Mark(found.start(), found.group(1) or found.group(2) or found.group(3))


def _json_keys(text: str) -> Iterator[_Mark]:
    depth = 0
    for found in _JSON_TOKEN.finditer(text):
        part = found.group()
        if part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
        elif depth == 1 and found.group("key"):
            yield _Mark(_line_start(text, found.start()), found.group("text"))


def _line_start(text: str, at: int) -> int:
    """The start of the line when only blanks stand before `at`, else `at`."""
    start = at
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return start if start == 0 or text[start - 1] == "\n" else at


_MARKS: dict[str, Callable[[str], Iterator[_Mark]]] = {
    "conf": _tables,
    "ini": _tables,
    "json": _json_keys,
    "toml": _tables,
    "yaml": _yaml_keys,
}
