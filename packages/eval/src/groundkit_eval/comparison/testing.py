"""Tests the paired values of many comparisons together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from groundkit_eval.comparison.bootstrap import intervals
from groundkit_eval.comparison.holm import holm
from groundkit_eval.comparison.outcomes import better
from groundkit_eval.comparison.randomisation import p_values
from groundkit_eval.comparison.results import MeasureChange

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALPHA = 0.05
SEED = 0


class Key(NamedTuple):
    """Names one comparison."""

    stage: str
    measure: str


Values = Mapping[str, tuple[float, float]]
"""Query id -> value before and after."""


def tested(found: Mapping[Key, Values]) -> dict[Key, MeasureChange]:
    """Return the change of every comparison, with p-values corrected for all of them.

    A comparison in which no query differs cannot be significant whatever its signs are, and is
    not counted (Tarone 1990).
    """
    changes: dict[Key, MeasureChange] = {}
    for keys in _same_queries(found).values():
        changes.update(_tested_together({key: found[key] for key in keys}))
    family = [key for key in found if changes[key].wins or changes[key].losses]
    corrected = holm([changes[key].p_value for key in family])
    for key, p in zip(family, corrected, strict=True):
        update = {"p_corrected": round(p, 6), "verdict": verdict(key.measure, changes[key], p)}
        changes[key] = changes[key].model_copy(update=update)
    return {key: changes[key] for key in found}


def verdict(measure: str, change: MeasureChange, p: float) -> Literal["gain", "loss", "same"]:
    """Tell what a corrected p-value makes of a change."""
    if p >= ALPHA or change.delta == 0:
        return "same"
    return "gain" if better(measure, change.delta) > 0 else "loss"


def _same_queries(found: Mapping[Key, Values]) -> dict[tuple[str, ...], list[Key]]:
    """Group the comparisons that are over the same queries: they are resampled together."""
    groups: dict[tuple[str, ...], list[Key]] = defaultdict(list)
    for key, values in found.items():
        groups[tuple(values)].append(key)
    return groups


def _tested_together(found: Mapping[Key, Values]) -> dict[Key, MeasureChange]:
    import numpy as np

    table = np.array([list(values.values()) for values in found.values()])
    before, after = table[:, :, 0], table[:, :, 1]
    # Rounded, because a difference of two rounded values is not.
    deltas = np.round((after - before).T, 6)
    tested = zip(found, p_values(deltas, SEED), intervals(deltas, seed=SEED), strict=True)
    return {
        key: _change(key.measure, before[i], after[i], deltas[:, i], p, interval)
        for i, (key, p, interval) in enumerate(tested)
    }


def _change(
    measure: str,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    deltas: NDArray[np.float64],
    p: float,
    interval: tuple[float, float],
) -> MeasureChange:
    gains = better(measure, 1.0) * deltas
    wins, losses = int((gains > 0).sum()), int((gains < 0).sum())
    return MeasureChange(
        queries=len(deltas),
        before=round(float(before.mean()), 6),
        after=round(float(after.mean()), 6),
        delta=round(float(deltas.mean()), 6),
        low=round(interval[0], 6),
        high=round(interval[1], 6),
        p_value=round(p, 6),
        p_corrected=1.0,
        verdict="same",
        wins=wins,
        ties=len(deltas) - wins - losses,
        losses=losses,
    )
