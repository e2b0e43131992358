"""Characters and pairs of characters as the tokens of scripts without spaces."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from groundkit_core.analysis.scripts import MARKS

_MARK = re.compile(f"[{MARKS}]")
_UNIT = re.compile(f"[^{MARKS}][{MARKS}]*|[{MARKS}]+")


def units(run: str) -> list[str]:
    """The characters of a run, each with the marks that belong to it."""
    return _UNIT.findall(run) if _MARK.search(run) else list(run)


def bigrams(run: str) -> list[str]:
    """What a query takes from a run: neighbouring pairs, or its only character."""
    found = units(run)
    return list(map("".join, pairwise(found))) or found


def unigrams_and_bigrams(run: str) -> list[str]:
    """What the index takes from a run: its characters and their neighbouring pairs."""
    found = units(run)
    return found + list(map("".join, pairwise(found)))


def matching_spans(run: str, wanted: Collection[str]) -> Iterator[tuple[int, int]]:
    """The parts of a run that wanted characters and pairs cover, ascending."""
    start = end = position = 0
    previous = ""
    for unit in units(run):
        is_pair = bool(previous) and previous + unit in wanted
        if is_pair or unit in wanted:
            first = position - len(previous) if is_pair else position
            if first > end:
                if start < end:
                    yield start, end
                start = first
            end = position + len(unit)
        position += len(unit)
        previous = unit
    if start < end:
        yield start, end
