"""Sets of code points of several sources, as disjoint stretches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from groundkit_eval.judgments.model import Place

Stretches = dict[str, list[tuple[int, int]]]


def union(places: Iterable[Place]) -> Stretches:
    """Return what the places hold together: by source, disjoint and in order."""
    by_source: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place in places:
        by_source[place.source].append((place.start, place.end))
    return {source: _merged(spans) for source, spans in by_source.items()}


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def size(stretches: Stretches) -> int:
    """Return how many code points there are."""
    return sum(end - start for spans in stretches.values() for start, end in spans)


def shared(one: Stretches, other: Stretches) -> int:
    """Return how many code points two sets share."""
    return sum(
        max(0, min(end, other_end) - max(start, other_start))
        for source, spans in one.items()
        for start, end in spans
        for other_start, other_end in other.get(source, ())
    )
