"""Identifiers and other compounds: whole, in parts, and with neighbouring parts joined."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import cache

from groundkit_core.analysis.scripts import MARKS, UPPER

MAX_PARTS = 16
"""Parts of one word that are indexed on their own."""

_MAX_SEGMENT_PARTS = 10
_HYPHENS = frozenset(("", "-"))
_SEPARATOR = re.compile(r"(::|[._'-])")
_DIGEST = re.compile(r"(?=.*\d)(?=.*[A-Fa-f])[0-9A-Fa-f-]{12,}")


def _part(upper: str, marks: str) -> re.Pattern[str]:
    lower = rf"[^{upper}\d]"
    return re.compile(
        rf"[{upper}]{{2,}}s(?!{lower})"  # plural of an acronym: URLs
        rf"|[{upper}]+(?=[{upper}]{lower}(?!\d))"  # acronym before a word: HTTPServer, not IPv4
        rf"|[{upper}]?{lower}+|[{upper}]+|\d[\d{marks}]*"
    )


_ASCII_PART = _part("A-Z", "")


@cache
def _any_part() -> re.Pattern[str]:
    return _part(UPPER, MARKS)


def split_segment(segment: str) -> list[str]:
    """Split at changes of case and between letters and digits; codes stay whole."""
    if segment.islower() and segment.isalpha():
        return [segment]
    parts = (_ASCII_PART if segment.isascii() else _any_part()).findall(segment)
    is_dense = len(parts) >= 4 and len(segment) < 2 * len(parts)
    return [segment] if is_dense or len(parts) > _MAX_SEGMENT_PARTS else parts


def split_compound(word: str) -> tuple[list[str], list[str]]:
    """The parts of a word, and what stood between each and the next.

    Args:
        word: normalised, case kept, segments joined by `.`, `-`, `_`, `::` or an apostrophe,
            which leaves no trace in the whole.
    """
    if _DIGEST.fullmatch(word):
        return [word], []
    pieces = _SEPARATOR.split(word)
    parts = split_segment(pieces[0])
    glue = [""] * (len(parts) - 1)
    for separator, segment in zip(pieces[1::2], pieces[2::2], strict=True):
        found = split_segment(segment)
        parts += found
        glue += [separator.strip("'"), *[""] * (len(found) - 1)]
    return parts, glue


def _join(left: str, between: str, right: str) -> str:
    if between and left[-1].isdecimal() and right[0].isdecimal():
        return left + between + right
    return left + right


def _join_all(parts: Sequence[str], glue: Sequence[str]) -> str:
    joined = parts[0]
    for between, part in zip(glue, parts[1:], strict=True):
        joined = _join(joined, between, part)
    return joined


def _number_runs(parts: Sequence[str], glue: Sequence[str]) -> Iterator[str]:
    start = 0
    for end in range(1, len(parts) + 1):
        if end == len(parts) or not (parts[end].isdecimal() and parts[end - 1].isdecimal()):
            if end - start > 2:
                yield _join_all(parts[start:end], glue[start : end - 1])
            start = end


def compound_forms(
    parts: Sequence[str], glue: Sequence[str], stops: Container[str]
) -> Iterator[str]:
    """All forms under which a compound of two parts or more is indexed.

    The whole, as written and joined; its parts, unless all are single characters
    (`U.S.`, `3D`); neighbours joined, unless one is a stop-word; runs of numbers
    (`2026.4.10` of `v2026.4.10`). Numbers are never joined without what stood between
    them. Hyphens are only a spelling: `e-mail` is `email`, counted once.
    """
    if not _HYPHENS.issuperset(glue):
        yield parts[0] + "".join(map(str.__add__, glue, parts[1:]))
    yield _join_all(parts, glue)
    parts, glue = parts[:MAX_PARTS], glue[: MAX_PARTS - 1]
    if len(parts) != sum(map(len, parts)):
        yield from parts
    if len(parts) > 2:
        for left, between, right in zip(parts, glue, parts[1:], strict=False):
            if left not in stops and right not in stops:
                yield _join(left, between, right)
        yield from _number_runs(parts, glue)
