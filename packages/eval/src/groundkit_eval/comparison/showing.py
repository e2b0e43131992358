"""The queries that changed most, with the passages that were retrieved for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundkit_eval.comparison.pairing import Pair
from groundkit_eval.comparison.results import QueryChange, ShownGold, ShownPassage
from groundkit_eval.results import EvaluationResult, PassageText, QueryAnswer

SHOWN = 10
PASSAGES = 3
_UNKNOWN = PassageText(heading="", excerpt="")


@dataclass(frozen=True, slots=True)
class Moved:
    """A pair and the value of the measure before and after."""

    pair: Pair
    before: float
    after: float
    gain: float


@dataclass(frozen=True, slots=True)
class Stages:
    """Two stages, each within its result."""

    before: EvaluationResult
    after: EvaluationResult
    against: str
    stage: str


def largest(moved: Sequence[Moved], stages: Stages, sign: int) -> tuple[QueryChange, ...]:
    """Return the largest gains (sign 1) or losses (sign -1), ties by id."""
    fitting = [item for item in moved if sign * item.gain > 0]
    fitting.sort(key=lambda item: (-sign * item.gain, item.pair.after.id))
    return tuple(_shown(item, stages) for item in fitting[:SHOWN])


def _shown(moved: Moved, stages: Stages) -> QueryChange:
    query = moved.pair.after
    return QueryChange(
        id=query.id,
        query=query.query,
        category=query.category,
        before=moved.before,
        after=moved.after,
        delta=round(moved.after - moved.before, 6),
        gold=tuple(ShownGold(source=gold.source, excerpt=gold.excerpt) for gold in query.gold),
        passages_before=_passages(stages.before, moved.pair.before.stages[stages.against]),
        passages_after=_passages(stages.after, query.stages[stages.stage]),
    )


def _passages(result: EvaluationResult, answer: QueryAnswer) -> tuple[ShownPassage, ...]:
    shown = []
    for place in answer.ranked[:PASSAGES]:
        text = result.passages.get(place.chunk_id, _UNKNOWN)
        shown.append(
            ShownPassage(
                source=place.source,
                heading=text.heading,
                excerpt=text.excerpt,
                relevant=bool(place.covers),
            )
        )
    return tuple(shown)
