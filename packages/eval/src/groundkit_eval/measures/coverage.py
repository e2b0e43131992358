"""Which retrieved chunks cover which gold passages."""

from __future__ import annotations

from collections.abc import Sequence

from groundkit_eval.judgments.model import Gold
from groundkit_eval.measures.matching import covers
from groundkit_eval.runs import RankedChunk


def covered_by(chunk: RankedChunk, gold: Sequence[Gold]) -> tuple[int, ...]:
    """Return which gold passages a chunk covers, itself or by a duplicate folded into it.

    One of a passage's places suffices; what was judged with grade 0 is never covered.
    """
    shown = (chunk.place, *chunk.folded)
    return tuple(
        number
        for number, passage in enumerate(gold)
        if passage.grade and any(covers(p, place) for p in shown for place in passage.places)
    )


def newly_covered(
    chunks: Sequence[RankedChunk], gold: Sequence[Gold]
) -> tuple[tuple[int, ...], ...]:
    """Return for each chunk, best first, the gold passages that no better one covers."""
    seen: set[int] = set()
    new = []
    for chunk in chunks:
        fresh = tuple(number for number in covered_by(chunk, gold) if number not in seen)
        seen.update(fresh)
        new.append(fresh)
    return tuple(new)


def by_document(chunks: Sequence[RankedChunk]) -> tuple[RankedChunk, ...]:
    """Return the first chunk of each document, in order: the ranking of the documents."""
    first: dict[str, RankedChunk] = {}
    for chunk in chunks:
        first.setdefault(chunk.place.source, chunk)
    return tuple(first.values())
