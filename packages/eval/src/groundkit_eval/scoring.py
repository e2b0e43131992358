"""Scores the answers of a stage against the judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.measures.abstention import Abstention, Outcome, abstention
from groundkit_eval.measures.coverage import newly_covered
from groundkit_eval.measures.ranking import Ranking, mean, measure
from groundkit_eval.runs import StageRun


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with its measures.

    Attributes:
        covered: for each query and each of its chunks, the gold passages it newly covers.
        by_query: query id -> measure -> value, of the answerable queries.
        overall: the means over the answerable queries.
        by_category: the means by category, in the order of their names.
    """

    run: StageRun
    covered: tuple[tuple[tuple[int, ...], ...], ...]
    by_query: dict[str, dict[str, float]]
    overall: dict[str, float | None]
    by_category: dict[str, dict[str, float | None]]
    abstention: Abstention


def score(run: StageRun, queries: Sequence[JudgedQuery]) -> ScoredRun:
    """Score the answers of one stage; `queries` are those it answered, in the same order."""
    asked = list(zip(queries, run.answers, strict=True))
    covered = tuple(newly_covered(answer.chunks, query.gold) for query, answer in asked)
    rankings = {
        query.id: Ranking(
            gold=len(query.gold),
            chunks=tuple(
                zip((chunk.chunk_id for chunk in answer.chunks), new, strict=True),
            ),
        )
        for (query, answer), new in zip(asked, covered, strict=True)
        if query.answerable
    }
    by_query = measure(rankings)
    return ScoredRun(
        run=run,
        covered=covered,
        by_query=by_query,
        overall=mean(list(by_query.values())),
        by_category={
            category: mean(
                [by_query[q.id] for q in queries if q.category == category and q.answerable]
            )
            for category in sorted({query.category for query in queries})
        },
        abstention=abstention(_outcomes(run, queries)),
    )


def _outcomes(run: StageRun, queries: Sequence[JudgedQuery]) -> list[Outcome]:
    rows = zip(queries, run.answers, run.probabilities, strict=True)
    return [Outcome(query.answerable, answer.abstained, found) for query, answer, found in rows]
