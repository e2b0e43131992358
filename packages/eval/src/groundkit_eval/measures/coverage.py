"""Which retrieved chunks cover which gold passages."""

from __future__ import annotations

from collections.abc import Sequence

from groundkit_eval.judgments.model import Place
from groundkit_eval.runs import RankedChunk


def covers(chunk: Place, gold: Place) -> bool:
    """Tell whether a chunk holds at least half of a gold passage, in code points."""
    overlap = min(chunk.end, gold.end) - max(chunk.start, gold.start)
    return chunk.source == gold.source and 2 * overlap >= gold.end - gold.start


def covered_by(chunk: RankedChunk, gold: Sequence[Place]) -> tuple[int, ...]:
    """Return which gold passages a chunk covers, itself or by a duplicate folded into it."""
    places = (chunk.place, *chunk.folded)
    return tuple(
        number for number, passage in enumerate(gold) if any(covers(p, passage) for p in places)
    )


def newly_covered(
    chunks: Sequence[RankedChunk], gold: Sequence[Place]
) -> tuple[tuple[int, ...], ...]:
    """Return for each chunk, best first, the gold passages that no better one covers."""
    seen: set[int] = set()
    new = []
    for chunk in chunks:
        fresh = tuple(number for number in covered_by(chunk, gold) if number not in seen)
        seen.update(fresh)
        new.append(fresh)
    return tuple(new)
