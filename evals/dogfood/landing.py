"""How often a stage lands on the right file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundkit_eval.results import EvaluationResult, QueryResult

FIRST = 5
STAGE = "lexical"

FLOOR = 0.86
"""Share of the answerable questions; 0.917 was measured when it was set."""


@dataclass(frozen=True, slots=True)
class Landing:
    """Where the answerable questions landed.

    Attributes:
        answerable: how many there are.
        missed: those with no right file among the first, in the order of the judgments.
    """

    answerable: int
    missed: tuple[QueryResult, ...]

    @property
    def share(self) -> float:
        """Share of the answerable questions with a right file among the first."""
        return 1 - len(self.missed) / self.answerable


def landing(result: EvaluationResult, stage: str = STAGE, first: int = FIRST) -> Landing:
    """Return where the questions of a result landed.

    Args:
        result: of an evaluation.
        stage: whose ranking counts.
        first: so many passages are looked at.
    """
    answerable = [query for query in result.queries if query.gold]
    missed = tuple(query for query in answerable if not _lands(query, stage, first))
    return Landing(len(answerable), missed)


def _lands(query: QueryResult, stage: str, first: int) -> bool:
    found = {place.source for place in query.stages[stage].ranked[:first]}
    return not found.isdisjoint(_right_files(query))


def _right_files(query: QueryResult) -> Iterator[str]:
    for gold in query.gold:
        yield gold.source
        for alternative in gold.alternatives:
            yield alternative.source
