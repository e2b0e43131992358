"""Source code to chunks along its definitions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.code.definitions import Line, Mark, Outline, outline
from groundkit_core.chunking.code.languages import LANGUAGES
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.paragraphs import paragraph_starts
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

MAX_HEADER_CHARS = 300
"""A container's head up to this length belongs with its first member."""

MAX_TITLE_CHARS = 200
_DOCSTRING = re.compile(r"(?:\s|#[^\n]*\n)*+[rRuU]?(?:\"\"\"|''')\s*([^\n]*)")


Outliner = Callable[[str, str], Outline | None]
"""Gives the outline of a text in a language, or None where it cannot."""


def chunk_code(
    text: str, language: str, limits: Limits, outliner: Outliner | None = None
) -> ChunkedText:
    """Chunks source code at definitions, then between blank lines, then between lines.

    The heading path is the qualified name of a definition. Comments and decorators
    above a definition belong to it; small definitions share a chunk. Languages that
    are not known have blank lines only.

    Args:
        text: with unified newlines.
        language: such as `python`; see `LANGUAGES`.
        limits: sizes in code points.
        outliner: finds the definitions; what it cannot outline is read line by line.
    """
    parsed = outliner(text, language) if outliner else None
    known = LANGUAGES.get(language)
    if parsed is not None:
        marks, stretches = parsed
        marks = list(_whole_functions(marks, len(text), limits))
    elif known is None:
        marks = [Mark(0, ())]
        starts = paragraph_starts(text, 0, len(text))
        stretches = [Line(start, int(text.startswith((" ", "\t"), start))) for start in starts]
    else:
        marks, stretches = outline(text, known)
        marks = list(_whole_functions(marks, len(text), limits))
    title = _module_title(text) if language == "python" else ""
    sections = _sections(text, marks, stretches)
    return ChunkedText(title, gather(text, sections, limits, share=4))


def _module_title(text: str) -> str:
    found = _DOCSTRING.match(text)
    if found is None:
        return ""
    return re.sub(r"(?:\"\"\"|''').*", "", found.group(1)).strip()[:MAX_TITLE_CHARS]


def _whole_functions(marks: list[Mark], end: int, limits: Limits) -> Iterator[Mark]:
    """Leaves out the definitions inside a function that fits into one chunk."""
    number = 0
    while number < len(marks):
        mark = marks[number]
        yield mark
        number += 1
        if mark.kind != "function":
            continue
        after = number
        while after < len(marks) and _is_within(marks[after], mark):
            after += 1
        stop = marks[after].start if after < len(marks) else end
        if stop - mark.start <= limits.target:
            number = after


def _is_within(mark: Mark, function: Mark) -> bool:
    at_least = function.depth if mark.kind == "rest" else function.depth + 1
    return mark.depth >= at_least


def _sections(text: str, marks: list[Mark], stretches: list[Line]) -> Iterator[Section]:
    starts = [line.start for line in stretches]
    for number, mark in enumerate(marks):
        below = marks[number + 1] if number + 1 < len(marks) else Mark(len(text), ())
        within = slice(bisect_left(starts, mark.start + 1), bisect_left(starts, below.start))
        blocks = [Block(mark.start, lines=True)]
        blocks.extend(Block(line.start, line.indent, lines=True) for line in stretches[within])
        yield Section(mark.path, blocks, below.start, _is_header(mark, below))


def _is_header(mark: Mark, below: Mark) -> bool:
    """Whether a scope has little to say before the definitions inside it."""
    depth = len(mark.path)
    return (
        0 < depth < len(below.path)
        and below.path[:depth] == mark.path
        and below.start - mark.start <= MAX_HEADER_CHARS
    )
