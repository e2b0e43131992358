"""How well a stage knows that the corpus holds no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundkit_eval.measures.auroc import auroc


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a query.

    Attributes:
        probability: of its being answered, as the confidence gate says; None without a gate.
    """

    answerable: bool
    abstained: bool
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Abstention:
    """Shares of queries that were answered with `NO_RELEVANT_CONTEXT`, and what the gate knew.

    Attributes:
        unanswerable: share of the unanswerable queries, best 1; None when there are none.
        answerable: share of the answerable queries, best 0; None when there are none.
        auroc: of the gate's probability, best 1, chance 0.5; None without a gate, or when there
            are no queries of one kind.
    """

    unanswerable: float | None
    answerable: float | None
    auroc: float | None = None


def abstention(outcomes: Sequence[Outcome]) -> Abstention:
    """Return the shares and the AUROC of the queries' outcomes."""
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    unanswerable = [outcome for outcome in outcomes if not outcome.answerable]
    return Abstention(
        unanswerable=_share(unanswerable),
        answerable=_share(answerable),
        auroc=_auroc(_probabilities(answerable), _probabilities(unanswerable)),
    )


def _share(outcomes: Sequence[Outcome]) -> float | None:
    if not outcomes:
        return None
    return round(sum(outcome.abstained for outcome in outcomes) / len(outcomes), 6)


def _probabilities(outcomes: Sequence[Outcome]) -> list[float]:
    return [outcome.probability for outcome in outcomes if outcome.probability is not None]


def _auroc(answerable: Sequence[float], unanswerable: Sequence[float]) -> float | None:
    return round(auroc(answerable, unanswerable), 6) if answerable and unanswerable else None
