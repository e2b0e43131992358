"""The statistics of repeated measurements."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile: the smallest value that `percent` % do not exceed.

    Args:
        values: at least one value, in any order.
        percent: above 0, at most 100.

    Raises:
        ValueError: there is no value, or the percentage is out of range.
    """
    if not values or not 0 < percent <= 100:
        raise ValueError("a percentile needs values and a percentage in (0, 100]")
    rank = math.ceil(percent / 100 * len(values))
    return sorted(values)[rank - 1]


@dataclass(frozen=True, slots=True)
class Summary:
    """The median of a measure over its repeats, and the range it moved in."""

    median: float
    minimum: float
    maximum: float
    repeats: int


def summarize(samples: Sequence[float]) -> Summary:
    """Reduce the repeats of one measure.

    Raises:
        ValueError: there is no sample.
    """
    if not samples:
        raise ValueError("nothing was measured")
    return Summary(statistics.median(samples), min(samples), max(samples), len(samples))


def ratio(ours: float, peer: float) -> float | None:
    """How many times the peer's value ours is; None where the peer's is zero."""
    return ours / peer if peer else None
