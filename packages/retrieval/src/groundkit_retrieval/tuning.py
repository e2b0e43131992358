"""What ranks and gates a collection: what was chosen, what the collection says, the defaults."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.contracts import FusionMethod, Mode
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.confidence import Gate, shipped_gate
from groundkit_retrieval.fusion import ALPHA, Fusion, default_alpha


@dataclass(frozen=True, slots=True)
class RankingChoice:
    """What a person chose over what the collection says; None chooses nothing.

    Attributes:
        fusion: how the two rankings become one.
        alpha: weight of the dense branch in `weighted`, 0 to 1.
    """

    fusion: FusionMethod | None = None
    alpha: float | None = None


def fusion_of(snapshot: Snapshot, choice: RankingChoice) -> Fusion:
    """Return how the branches of a query are joined."""
    tuning = snapshot.tuning
    method = choice.fusion or tuning.fusion or "weighted"
    for alpha in (choice.alpha, tuning.alpha):
        if alpha is not None:
            return Fusion(method, alpha)
    bound = snapshot.binding
    return Fusion(method, default_alpha(bound["identity"]) if bound else ALPHA)


def gate_of(snapshot: Snapshot, mode: Mode) -> Gate:
    """Return the gate of a mode, with the collection's threshold where it was calibrated."""
    gate = shipped_gate(mode)
    found = snapshot.tuning.calibrations.get(mode)
    return gate if found is None else gate.with_low(found.threshold)
