"""Percentiles of latency."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(values: Sequence[float], percent: float) -> float:
    """Return a percentile, interpolated linearly between neighbours; at least one value."""
    import numpy as np

    return round(float(np.percentile(values, percent)), 3)
