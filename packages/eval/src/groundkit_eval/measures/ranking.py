"""The field's measures over gold passages, computed by ir-measures.

Each gold passage is one relevant document of the qrels, with its grade. A chunk that covers gold
passages which no better chunk covers takes one place for each of them, in succession; every other
chunk takes one place as not relevant. All measures but recall are computed on places, so that
nothing exceeds the ideal ranking. Recall counts chunks: the share of gold passages that the first
k chunks cover. Of judged documents each is one chunk, so that places and chunks are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundkit_eval.measures.selection import RankMeasure, default_measures

if TYPE_CHECKING:
    from ir_measures import Measure

MEASURES = tuple(measure.key for measure in default_measures())

Run = dict[str, dict[str, float]]
_ALL = 10**9


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of one answerable query.

    Attributes:
        grades: of the gold passages that the query has.
        chunks: the ids of the retrieved chunks, best first, and what each newly covers.
    """

    grades: tuple[int, ...]
    chunks: tuple[tuple[str, tuple[int, ...]], ...]

    def places(self, depth: int) -> list[str]:
        """Return the documents that the first `depth` chunks put in the run, best first.

        Of the passages of one chunk, the higher grade comes first.
        """
        documents = []
        for chunk_id, new in self.chunks[:depth]:
            best_first = sorted(new, key=lambda number: (-self.grades[number], number))
            documents.extend([_gold_id(number) for number in best_first] or [f"chunk:{chunk_id}"])
        return documents


def _gold_id(number: int) -> str:
    return f"gold:{number}"


def measure(
    rankings: Mapping[str, Ranking], measures: Sequence[RankMeasure] | None = None
) -> dict[str, dict[str, float]]:
    """Return every measure for every query.

    Args:
        rankings: one for each answerable query; an empty one scores 0.
        measures: what to compute [recall at 1, 5 and 10, MRR and nDCG at 10].

    Returns:
        query id -> measure -> value between 0 and 1, rounded to six digits.
    """
    wanted = default_measures() if measures is None else measures
    values: dict[str, dict[str, float]] = {query: {} for query in rankings}
    if not rankings or not wanted:
        return values
    qrels = {
        query: {_gold_id(number): grade for number, grade in enumerate(ranking.grades)}
        for query, ranking in rankings.items()
    }
    for depth, together in _by_depth(wanted, rankings).items():
        _fill(values, qrels, _run(rankings, depth), together, whole=depth == _ALL)
    order = [measure.key for measure in wanted]
    return {query: {key: found[key] for key in order} for query, found in values.items()}


def _by_depth(
    measures: Sequence[RankMeasure], rankings: Mapping[str, Ranking]
) -> dict[int, list[RankMeasure]]:
    """Group measures by how many chunks they look at: at least the places they count."""
    if all(len(new) <= 1 for ranking in rankings.values() for _, new in ranking.chunks):
        return {_ALL: list(measures)}  # a chunk is a place, so one run serves them all
    groups: dict[int, list[RankMeasure]] = defaultdict(list)
    for measure in measures:
        groups[measure.cutoff or _ALL].append(measure)
    return groups


def _run(rankings: Mapping[str, Ranking], depth: int) -> Run:
    """Return the run in the form of ir-measures, with scores that fall by one a place."""
    return {
        query: {document: float(-place) for place, document in enumerate(ranking.places(depth))}
        for query, ranking in rankings.items()
        if ranking.chunks
    }


def _fill(
    values: dict[str, dict[str, float]],
    qrels: dict[str, dict[str, int]],
    run: Run,
    measures: Sequence[RankMeasure],
    *,
    whole: bool,
) -> None:
    from ir_measures import iter_calc

    deepest = max((len(documents) for documents in run.values()), default=1)
    keys: dict[Measure, str] = {
        measure.computed(None if whole else deepest): measure.key for measure in measures
    }
    for metric in iter_calc(list(keys), qrels, run):
        values[metric.query_id][keys[metric.measure]] = round(float(metric.value), 6)


def mean(
    values: Sequence[Mapping[str, float]], names: Sequence[str] = MEASURES
) -> dict[str, float | None]:
    """Return the mean of each measure over queries; None where there are none."""
    return {
        name: round(sum(value[name] for value in values) / len(values), 6) if values else None
        for name in names
    }
