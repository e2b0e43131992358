"""Cutting what is longer than a chunk may be."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from groundkit_core.chunking.settings import Limits

Span = tuple[int, int]

_VISIBLE = re.compile(r"\S")
_WORD_END = re.compile(r".*\s", re.DOTALL)
_SENTENCE_END = re.compile(r"""(?s:.*)(?:[.!?…]["'”’)\]]*\s|[。！？．｡][」』”’）】]*|\n[ \t]*\n)""")
_JOINERS = "\u200c\u200d"


def trim(text: str, start: int, end: int, *, lines: bool) -> Span:
    """The span without white space at its ends; `lines` keeps the first line's indentation.

    An empty span is `start == end`.
    """
    end = start + len(text[start:end].rstrip())
    if start < end and text[start].isspace():
        start = skip(text, start, end, lines=lines)
    return start, end


def skip(text: str, start: int, end: int, *, lines: bool) -> int:
    """The start of the first visible text, or of its line's indentation when `lines`."""
    visible = _VISIBLE.search(text, start, end)
    if visible is None:
        return end
    first = visible.start()
    if not lines:
        return first
    line = text.rfind("\n", start, first) + 1 or start
    at_line_start = line == 0 or text[line - 1] == "\n"
    return line if at_line_start and not text[line:first].strip(" \t") else first


def cut(text: str, start: int, end: int, limits: Limits, *, lines: bool) -> Iterator[Span]:
    """Cuts a span into trimmed pieces of at most `limits.cap`.

    Pieces end between lines when `lines`, else between sentences, then between
    words, and inside a word only when nothing else is left; never inside a
    character and its combining marks.
    """
    start, end = trim(text, start, end, lines=lines)
    while end - start > limits.cap:
        at = _line_cut(text, start, limits) if lines else _sentence_cut(text, start, limits)
        at = _whole_character(text, start, at or _word_cut(text, start, limits))
        piece = trim(text, start, at, lines=lines)
        if piece[0] < piece[1]:
            yield piece
        start = skip(text, at, end, lines=lines)
    if start < end:
        yield start, end


def _line_cut(text: str, start: int, limits: Limits) -> int | None:
    at = text.rfind("\n", start + 1, start + limits.target)
    if at < 0:
        at = text.find("\n", start + limits.target, start + limits.cap)
    return at if at > 0 and text[start:at].strip() else None


def _sentence_cut(text: str, start: int, limits: Limits) -> int | None:
    return _last(_SENTENCE_END, text, start, limits)


def _word_cut(text: str, start: int, limits: Limits) -> int:
    return _last(_WORD_END, text, start, limits) or start + limits.target


def _last(pattern: re.Pattern[str], text: str, start: int, limits: Limits) -> int | None:
    found = pattern.match(text, start, start + limits.target)
    return found.end() if found and found.end() - start > limits.target // 4 else None


def _whole_character(text: str, start: int, at: int) -> int:
    """The nearest place at or before `at` where a character ends; `at` if there is none."""
    best = at
    while best > start + 1 and _is_inside(text, start, best):
        best -= 1
    return at if best == start + 1 and _is_inside(text, start, best) else best


def _is_inside(text: str, start: int, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return False
    if _is_regional(after) and _is_regional(before):
        return _regional_run(text, start, at) % 2 == 1
    return before in _JOINERS or after in _JOINERS or _extends(after)


def _extends(char: str) -> bool:
    """Whether a code point belongs to the one before it: marks, jamo, skin tones, tags."""
    return (
        unicodedata.category(char)[0] == "M"
        or "\u1160" <= char <= "\u11ff"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regional_run(text: str, start: int, at: int) -> int:
    run = at
    while run > start and _is_regional(text[run - 1]):
        run -= 1
    return at - run
