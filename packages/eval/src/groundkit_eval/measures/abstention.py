"""How well a stage knows that the corpus holds no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundkit_eval.measures.auroc import auroc
from groundkit_eval.measures.reliability import Reliability, reliability
from groundkit_eval.measures.risk import answered_share

FALSE_ANSWER_RATES = (0.01, 0.05, 0.1)


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
        answered_at: false-answer rate -> the largest share of the answerable queries that a
            threshold answers while it answers at most that share of the unanswerable ones.
        reliability: how often queries of like probability were answerable.
    """

    unanswerable: float | None
    answerable: float | None
    auroc: float | None = None
    answered_at: dict[str, float] = field(default_factory=dict)
    reliability: Reliability | None = None


def abstention(outcomes: Sequence[Outcome]) -> Abstention:
    """Return the shares and the AUROC of the queries' outcomes."""
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    unanswerable = [outcome for outcome in outcomes if not outcome.answerable]
    right, wrong = _probabilities(answerable), _probabilities(unanswerable)
    return Abstention(
        unanswerable=_share(unanswerable),
        answerable=_share(answerable),
        auroc=_auroc(right, wrong),
        answered_at=_answered_at(right, wrong),
        reliability=reliability(right, wrong) if right and wrong else None,
    )


def _share(outcomes: Sequence[Outcome]) -> float | None:
    if not outcomes:
        return None
    return round(sum(outcome.abstained for outcome in outcomes) / len(outcomes), 6)


def _probabilities(outcomes: Sequence[Outcome]) -> list[float]:
    return [outcome.probability for outcome in outcomes if outcome.probability is not None]


def _auroc(answerable: Sequence[float], unanswerable: Sequence[float]) -> float | None:
    return round(auroc(answerable, unanswerable), 6) if answerable and unanswerable else None


def _answered_at(answerable: Sequence[float], unanswerable: Sequence[float]) -> dict[str, float]:
    if not answerable or not unanswerable:
        return {}
    return {
        f"{rate:g}": round(answered_share(answerable, unanswerable, rate), 6)
        for rate in FALSE_ANSWER_RATES
    }
