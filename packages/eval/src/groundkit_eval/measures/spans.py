"""How much of the gold text the retrieved chunks hold, and how much else.

The measures of Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma
technical report, 2024), with sets of places instead of lists, so that overlapping chunks count
once. With G the places of the gold passages and T those of the first k chunks:

    token recall     |G and T| / |G|             over words
    token precision  |G and T| / |T|             over words
    IoU              |G and T| / |G or T|        over code points

A word is a run of letters and digits, or one character of a script that is written without
spaces; it lies in a span when its first character does. Of passages any one of which suffices,
the one that the chunks hold most of counts. A chunk with folded duplicates stands where it
overlaps gold. Chunks without a span, and without text for the words, cannot be measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundkit_eval.judgments.leaks import word_starts
from groundkit_eval.judgments.model import Gold, Place
from groundkit_eval.measures.selection import SpanKind, SpanMeasure
from groundkit_eval.measures.stretches import Stretches, shared, size, union
from groundkit_eval.runs import RankedChunk

Words = set[tuple[str, int]]


def measure_spans(
    chunks: Sequence[RankedChunk], gold: Sequence[Gold], measures: Iterable[SpanMeasure]
) -> dict[str, float] | None:
    """Return the span measures of one answerable query, each between 0 and 1.

    Returns:
        measure -> value rounded to six digits; None when a chunk cannot be measured.
    """
    relevant = [passage for passage in gold if passage.grade]
    values = {}
    for measure in measures:
        first = chunks[: measure.cutoff]
        if not all(_measurable(chunk.place, measure.kind) for chunk in first) or not all(
            place.spans for passage in relevant for place in passage.places
        ):
            return None
        shown = [_standing(chunk, relevant) for chunk in first]
        values[measure.key] = round(_value(measure.kind, shown, relevant), 6)
    return values


def _measurable(place: Place, kind: SpanKind) -> bool:
    return place.spans and (kind == "IoU" or len(place.text) == place.end - place.start)


def _standing(chunk: RankedChunk, gold: Sequence[Gold]) -> Place:
    """Return the chunk's place, or that of a duplicate when only the duplicate overlaps gold."""
    for place in (chunk.place, *chunk.folded):
        if _measurable(place, "TokenP") and any(
            _overlap(place, other) for passage in gold for other in passage.places
        ):
            return place
    return chunk.place


def _overlap(one: Place, other: Place) -> int:
    if one.source != other.source:
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _value(kind: SpanKind, shown: Sequence[Place], gold: Sequence[Gold]) -> float:
    if kind == "IoU":
        return _iou(union(shown), gold)
    retrieved = set().union(*map(_words, shown))
    wanted = set().union(*(_best_words(passage, retrieved) for passage in gold))
    total = len(wanted) if kind == "TokenR" else len(retrieved)
    return len(retrieved & wanted) / total if total else 0.0


def _iou(retrieved: Stretches, gold: Sequence[Gold]) -> float:
    wanted = union(
        max(passage.places, key=lambda place: shared(union([place]), retrieved)) for passage in gold
    )
    both = shared(retrieved, wanted)
    total = size(retrieved) + size(wanted) - both
    return both / total if total else 0.0


def _best_words(passage: Gold, retrieved: Words) -> Words:
    return max(map(_words, passage.places), key=lambda words: len(words & retrieved))


def _words(place: Place) -> Words:
    return {(place.source, place.start + start) for start in word_starts(place.text)}
