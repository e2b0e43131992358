"""What is compared of a query: its measures, and whether the stage abstained."""

from __future__ import annotations

from groundkit_eval.results import QueryAnswer, QueryResult

ABSTAINED = "abstained"
WRONGLY_ABSTAINED = "wrongly_abstained"
LOWER_IS_BETTER = frozenset({WRONGLY_ABSTAINED, "p50_ms", "p95_ms"})


def outcomes(query: QueryResult, answer: QueryAnswer) -> dict[str, float]:
    """Return measure -> value of a query; an unanswerable one has `abstained` alone."""
    abstained = float(answer.status == "NO_RELEVANT_CONTEXT")
    if not query.answerable:
        return {ABSTAINED: abstained}
    return {**answer.measures, WRONGLY_ABSTAINED: abstained}


def better(measure: str, delta: float) -> float:
    """Return a delta with the sign that makes a gain positive."""
    return -delta if measure in LOWER_IS_BETTER else delta
