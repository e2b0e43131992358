"""reStructuredText to chunks along its section titles and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.paragraphs import paragraph_starts
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

_MIN_SHORT_UNDERLINE = 4
"""An underline shorter than its title counts from this length on, as in docutils."""

MAX_TITLE_CHARS = 200
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
_INDENT = re.compile(r"[ \t]*")
_DIRECTIVE = re.compile(r"[ \t]*\.\. ")
_LITERAL_DIRECTIVE = re.compile(
    r"[ \t]*\.\. (?:code|code-block|sourcecode|parsed-literal|math|table|list-table|csv-table)::"
)
_TABLE = re.compile(r"\+-|=+ +=|\|")
_ROLE = re.compile(r"(?::[\w.+:-]+:)?`([^`<>]+?)\s*(?:<[^`<>]*>)?`_{0,2}")
_STRONG = re.compile(r"(\*{1,2}|``)(?=\S)(.+?)(?<=\S)\1")


class _Title(NamedTuple):
    """A section title: its first line, one past its last, its style and its text."""

    line: int
    end: int
    style: tuple[str, bool]
    text: str


def chunk_rst(text: str, limits: Limits) -> ChunkedText:
    """Chunks a reStructuredText document; literal blocks and tables are kept whole.

    Args:
        text: with unified newlines.
        limits: sizes in code points.
    """
    lines = text.split("\n")
    titles = list(_titles(lines))
    widths = [0, *accumulate(map(len, lines))]
    sections = list(_sections(text, titles, widths))
    title = titles[0].text if titles else ""
    return ChunkedText(title, gather(text, sections, limits))


def _titles(lines: Sequence[str]) -> Iterator[_Title]:
    last = 0
    for number, line in enumerate(lines):
        if number == 0 or not _ADORNMENT.match(line.rstrip()):
            continue
        title = _title_above(lines, number, last)
        if title is not None:
            last = title.end
            yield title


def _title_above(lines: Sequence[str], number: int, last: int) -> _Title | None:
    """The title that line `number` underlines; lines before `last` are taken."""
    underline, text = lines[number].rstrip(), lines[number - 1].rstrip()
    if number - 1 < last or not text or _ADORNMENT.match(text):
        return None
    above = lines[number - 2].rstrip() if number - 2 >= last else ""
    overlined = above[:1] == underline[0] and above == underline
    if not overlined and (above or text[0].isspace()):
        return None
    if len(underline) < min(len(text.strip()), _MIN_SHORT_UNDERLINE):
        return None
    first = number - 2 if overlined else number - 1
    return _Title(first, number + 1, (underline[0], overlined), _plain(text))


def _plain(source: str) -> str:
    text = _STRONG.sub(r"\2", source[:MAX_TITLE_CHARS])
    return " ".join(_ROLE.sub(r"\1", text).split())


def _sections(text: str, titles: Sequence[_Title], widths: Sequence[int]) -> Iterator[Section]:
    styles: list[tuple[str, bool]] = []
    path: tuple[str, ...] = ()
    begin = body = 0
    for title in titles:
        start = widths[title.line] + title.line
        if start > begin:
            yield _section(text, path, begin, body, start)
        if title.style not in styles:
            styles.append(title.style)
        path = (*path[: styles.index(title.style)], title.text)
        begin, body = start, min(widths[title.end] + title.end, len(text))
    if begin < len(text):
        yield _section(text, path, begin, body, len(text))


def _section(text: str, path: tuple[str, ...], begin: int, body: int, end: int) -> Section:
    blocks = list(_blocks(text, body, end))
    if body > begin:
        blocks = [Block(begin, leads=True), *blocks]
    return Section(path, blocks, end, bare=body > begin and not text[body:end].strip())


def _blocks(text: str, start: int, end: int) -> Iterator[Block]:
    """Paragraphs by indentation; a literal block or table directive is one, blank lines or not."""
    literal: int | None = None  # the indentation of what announced the literal block
    starts = [*paragraph_starts(text, start, end), end]
    for begin, after in pairwise(starts):
        found = _INDENT.match(text, begin, after)
        indent = len(found.group()) if found else 0
        if literal is not None and indent > literal:
            continue
        whole = _LITERAL_DIRECTIVE.match(text, begin, after) is not None
        announces = text[max(begin, after - 8) : after].rstrip().endswith("::")
        literal = indent if whole or announces else None
        leads = literal is None and _DIRECTIVE.match(text, begin, after) is not None
        lines = leads or indent > 0 or _TABLE.match(text, begin, after) is not None
        yield Block(begin, indent, lines or literal is not None, leads)
