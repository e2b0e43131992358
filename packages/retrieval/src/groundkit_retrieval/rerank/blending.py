"""Fused and reranked scores, made one."""

from __future__ import annotations

import math
from collections.abc import Sequence


def blend(fused: Sequence[float], reranked: Sequence[float], weight: float = 0.5) -> list[float]:
    """Return `(1 - weight) * fused + weight * reranked`, each scaled to 0..1 by min and max.

    Scores that are all equal say nothing about the order and count as 1.

    Args:
        fused: scores of the passages that were reranked.
        reranked: their new scores, in the same order.
        weight: 0 keeps the fused order, 1 takes the reranker's.

    Raises:
        ValueError: unequal lengths, a score that is not finite, or a weight outside 0..1.
    """
    if len(fused) != len(reranked):
        raise ValueError(f"{len(fused)} fused and {len(reranked)} reranked scores")
    if not 0 <= weight <= 1:
        raise ValueError(f"weight must be between 0 and 1, not {weight}")
    pairs = zip(_scaled(fused), _scaled(reranked), strict=True)
    return [(1 - weight) * before + weight * after for before, after in pairs]


def _scaled(scores: Sequence[float]) -> list[float]:
    if not all(math.isfinite(score) for score in scores):
        raise ValueError("a score is not finite")
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    # Halves, because the difference of two finite scores may not be finite.
    spread = high / 2 - low / 2
    if spread <= 0:
        return [1.0] * len(scores)
    return [(score / 2 - low / 2) / spread for score in scores]
