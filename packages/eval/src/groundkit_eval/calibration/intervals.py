"""Confidence intervals of a share (Clopper and Pearson 1934)."""

from __future__ import annotations

import math
from collections.abc import Callable

_STEPS = 60


def clopper_pearson(count: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a binomial share; it covers the truth at least as often.

    Args:
        count: how often it happened, 0 to `of`.
        of: how often it could have happened, at least 1.
        level: confidence level, between 0 and 1.
    """
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else _root(lambda p: _at_least(count, of, p) > tail)
    high = 1.0 if count == of else _root(lambda p: _at_least(count + 1, of, p) > 1 - tail)
    return low, high


def _root(above: Callable[[float], bool]) -> float:
    """Return where a test that rises with p, false at 0 and true at 1, becomes true."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if above(middle) else (middle, high)
    return high


def _at_least(count: int, of: int, p: float) -> float:
    """Return P(X >= count) for X binomial with 0 < p < 1, from the side with fewer terms."""
    if 2 * count <= of:
        return 1 - _sum(range(count), of, p)
    return _sum(range(count, of + 1), of, p)


def _sum(counts: range, of: int, p: float) -> float:
    log_p, log_q, log_all = math.log(p), math.log1p(-p), math.lgamma(of + 1)
    return math.fsum(
        math.exp(
            log_all - math.lgamma(i + 1) - math.lgamma(of - i + 1) + i * log_p + (of - i) * log_q
        )
        for i in counts
    )
