"""Recall, reciprocal rank and nDCG over gold passages, computed by ir-measures.

Each gold passage is one relevant document of the qrels. A chunk that covers gold passages which
no better chunk covers takes one place for each of them, in succession; every other chunk takes
one place as not relevant. MRR and nDCG are computed on places, so that nothing exceeds the ideal
ranking. Recall counts chunks: the share of gold passages that the first k chunks cover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ir_measures import Measure

RECALL_CUTOFFS = (1, 5, 10)
DEPTH = 10
MEASURES = (*(f"recall@{k}" for k in RECALL_CUTOFFS), f"mrr@{DEPTH}", f"ndcg@{DEPTH}")

Run = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of one answerable query.

    Attributes:
        gold: how many gold passages the query has.
        chunks: the ids of the retrieved chunks, best first, and what each newly covers.
    """

    gold: int
    chunks: tuple[tuple[str, tuple[int, ...]], ...]

    def places(self, depth: int) -> list[str]:
        """Return the documents that the first `depth` chunks put in the run, best first."""
        documents = []
        for chunk_id, new in self.chunks[:depth]:
            documents.extend([_gold_id(number) for number in new] or [chunk_id])
        return documents


def _gold_id(number: int) -> str:
    return f"gold:{number}"


def measure(rankings: Mapping[str, Ranking]) -> dict[str, dict[str, float]]:
    """Return every measure for every query.

    Args:
        rankings: one for each answerable query; an empty one scores 0.

    Returns:
        query id -> measure -> value between 0 and 1.
    """
    from ir_measures import RR, R, nDCG

    values: dict[str, dict[str, float]] = {query: {} for query in rankings}
    if not rankings:
        return values
    qrels = {
        query: {_gold_id(number): 1 for number in range(ranking.gold)}
        for query, ranking in rankings.items()
    }
    graded = {RR @ DEPTH: f"mrr@{DEPTH}", nDCG @ DEPTH: f"ndcg@{DEPTH}"}
    for k in RECALL_CUTOFFS:
        run = _run(rankings, k)
        deepest = max((len(documents) for documents in run.values()), default=1)
        _fill(values, qrels, run, {R @ deepest: f"recall@{k}"})
    _fill(values, qrels, _run(rankings, DEPTH), graded)
    return {query: {name: found[name] for name in MEASURES} for query, found in values.items()}


def _run(rankings: Mapping[str, Ranking], depth: int) -> Run:
    """Return the run in the form of ir-measures, with scores that fall by one a place."""
    run: Run = {}
    for query, ranking in rankings.items():
        documents = ranking.places(depth)
        if documents:
            run[query] = {document: float(-place) for place, document in enumerate(documents)}
    return run


def _fill(
    values: dict[str, dict[str, float]],
    qrels: dict[str, dict[str, int]],
    run: Run,
    names: Mapping[Measure, str],
) -> None:
    from ir_measures import iter_calc

    for metric in iter_calc(list(names), qrels, run):
        values[metric.query_id][names[metric.measure]] = round(float(metric.value), 6)


def mean(values: Sequence[Mapping[str, float]]) -> dict[str, float | None]:
    """Return the mean of each measure over queries; None where there are none."""
    return {
        name: round(sum(value[name] for value in values) / len(values), 6) if values else None
        for name in MEASURES
    }
