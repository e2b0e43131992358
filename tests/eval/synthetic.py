"""Results that are made up: any number of queries and stages, with values like those of nDCG."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Literal

from groundkit_eval.comparison.deltas import delta
from groundkit_eval.results import (
    AbstentionShares,
    CorpusSummary,
    EvaluationResult,
    EvaluationSettings,
    GoldPlace,
    JudgmentsSummary,
    Latency,
    PassageText,
    QueryAnswer,
    QueryResult,
    RankedPlace,
    StageResult,
    Timings,
)

VALUES = (0.0, 0.289065, 0.315465, 0.386853, 0.430677, 0.5, 0.63093, 0.815465, 0.91972, 1.0)
WEIGHTS = (15, 1, 2, 4, 4, 8, 13, 4, 3, 46)
"""About what nDCG@10 is on the golden questions: many ties, and skewed to 1."""

CATEGORIES = ("identifier", "paraphrase", "negation")
MEASURES = ("recall@5", "ndcg@10")

Values = dict[str, float]
"""Query id -> value."""


def drawn(number: int, seed: int) -> Values:
    """Draw the values of so many queries."""
    values = random.Random(seed).choices(VALUES, WEIGHTS, k=number)
    return {f"q{i:05}": value for i, value in enumerate(values)}


def moved(values: Values, share: float, shift: float, seed: int) -> Values:
    """Redraw a share of the values, and then shift these."""
    rng = random.Random(seed)
    redrawn = {
        id_: min(1.0, max(0.0, rng.choices(VALUES, WEIGHTS)[0] + shift))
        for id_ in values
        if rng.random() < share
    }
    return {id_: round(redrawn.get(id_, value), 6) for id_, value in values.items()}


def made_result(
    stages: dict[str, Values], *, unanswerable: int = 0, judgments: str = "j", corpus: str = "c"
) -> EvaluationResult:
    """Return a result in which nDCG@10 has these values, and recall@5 is whether it is above 0.5.

    Args:
        stages: the values by stage, of the same queries.
        unanswerable: so many more queries, of which the first half is abstained from.
        judgments: stands for the judgments file.
        corpus: stands for the corpus.
    """
    ids = list(next(iter(stages.values())))
    queries = [
        *(_answerable(id_, number, stages) for number, id_ in enumerate(ids)),
        *(_unanswerable(number, unanswerable, list(stages)) for number in range(unanswerable)),
    ]
    means = {stage: _means([q for q in queries if q.gold], stage) for stage in stages}
    first = next(iter(stages))
    return EvaluationResult(
        settings=EvaluationSettings(
            limit=10,
            index={"language": "english"},
            versions={"groundkit-eval": "0"},
            baseline=first,
        ),
        corpus=CorpusSummary(documents=3, chunks=9, refused={}, sha256=_digest(corpus)),
        judgments=JudgmentsSummary(
            queries=len(queries),
            answerable=len(ids),
            unanswerable=unanswerable,
            categories=_counts([query.category for query in queries]),
            sha256=_digest(judgments),
        ),
        stages=tuple(
            StageResult(
                name=stage,
                summary=f"the stage {stage}",
                measures=means[stage],
                delta=None if stage == first else delta(means[stage], means[first]),
                abstention=AbstentionShares(
                    unanswerable=0.5 if unanswerable else None,
                    answerable=0.0,
                    auroc=0.8 if unanswerable else None,
                ),
                categories={
                    category: _means([q for q in queries if q.category == category], stage)
                    for category in sorted({query.category for query in queries})
                },
            )
            for stage in stages
        ),
        passages={f"c{i}": PassageText(heading=f"H{i}", excerpt=f"passage {i}") for i in range(9)},
        queries=tuple(queries),
        timings=_timings(list(stages), len(queries)),
    )


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _counts(categories: Sequence[str]) -> dict[str, int]:
    return {category: categories.count(category) for category in sorted(set(categories))}


def _means(queries: Sequence[QueryResult], stage: str) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for measure in MEASURES:
        values = [q.stages[stage].measures[measure] for q in queries if q.gold]
        found[measure] = round(sum(values) / len(values), 6) if values else None
    return found


def _answerable(id_: str, number: int, stages: dict[str, Values]) -> QueryResult:
    return QueryResult(
        id=id_,
        query=f"question {number}",
        category=CATEGORIES[number % len(CATEGORIES)],
        source_class="all",
        gold=(GoldPlace(source="a.md", start=0, end=9, excerpt=f"gold {number}"),),
        stages={stage: _answer(values[id_], number) for stage, values in stages.items()},
    )


def _answer(value: float, number: int) -> QueryAnswer:
    places = [
        RankedPlace(
            chunk_id=f"c{(number + i) % 9}",
            source=f"{i}.md",
            start=0,
            end=9,
            covers=(0,) if i == 0 and value else (),
        )
        for i in range(3)
    ]
    return QueryAnswer(
        status="OK",
        first_relevant_rank=1 if value else None,
        measures={"recall@5": float(value > 0.5), "ndcg@10": value},
        ranked=tuple(places),
        probability=round(0.4 + 0.5 * value + (number % 7) / 70, 6),
    )


def _unanswerable(number: int, of: int, stages: Sequence[str]) -> QueryResult:
    status: Literal["OK", "NO_RELEVANT_CONTEXT"]
    status = "NO_RELEVANT_CONTEXT" if 2 * number < of else "OK"
    answer = QueryAnswer(
        status=status,
        first_relevant_rank=None,
        measures={},
        ranked=(),
        probability=round(0.2 + number / of / 2, 6),
    )
    return QueryResult(
        id=f"u{number:05}",
        query=f"nothing {number}",
        category="unanswerable",
        source_class="all",
        gold=(),
        stages=dict.fromkeys(stages, answer),
    )


def _timings(stages: Sequence[str], queries: int) -> Timings:
    latencies = tuple(round(1 + (number * 37 % 101) / 25, 3) for number in range(queries))
    latency = Latency(p50_ms=3.0, p95_ms=4.8, queries_ms=latencies)
    return Timings(
        index_seconds=1.0,
        scoring_seconds=0.1,
        total_seconds=2.0,
        stages=dict.fromkeys(stages, latency),
    )
