"""How sure the engine is that what the branches found answers the query."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.contracts import Confidence, Mode
from groundkit_retrieval.branches import Branches
from groundkit_retrieval.confidence import Signals, measure
from groundkit_retrieval.tuning import gate_of


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the gate says of one query.

    Attributes:
        mode: the mode that answered; `lexical` where the dense branch of a hybrid failed.
        signals: what the two rankings look like.
        probability: of the query being answered by what was found.
        level: the probability as a level.
        failed: branch -> reason.
    """

    mode: Mode
    signals: Signals
    probability: float
    level: Confidence
    failed: dict[str, str]


def assess(branches: Branches) -> Assessment:
    """Return what the gate says once the branches have run."""
    snapshot = branches.snapshot
    gate = gate_of(snapshot, branches.answered)
    signals = measure(branches.tokens, branches.lexical, branches.dense, snapshot)
    return Assessment(
        mode=branches.answered,
        signals=signals,
        probability=gate.probability(signals),
        level=gate.level(signals),
        failed=dict(branches.failed),
    )
