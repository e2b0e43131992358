"""Joins the rankings of branches into one."""

from __future__ import annotations

from collections.abc import Sequence

Ranking = Sequence[tuple[int, float]]
"""(chunk key, score), best first."""

ALPHA = 0.5
RRF_K = 60


def weighted(lexical: Ranking, dense: Ranking, alpha: float = ALPHA) -> list[tuple[int, float]]:
    """Return the convex combination of min-max normalised scores, best first, ties by key.

    A chunk that a branch did not find gets that branch's lowest score, 0 (Bruch, Gai and Ingber
    2023, "An Analysis of Fusion Functions for Hybrid Retrieval").

    Args:
        lexical: BM25 scores.
        dense: cosines.
        alpha: weight of the dense branch, 0 to 1.
    """
    fused: dict[int, float] = {}
    for ranking, weight in ((lexical, 1 - alpha), (dense, alpha)):
        for key, score in _min_max(ranking):
            fused[key] = fused.get(key, 0.0) + weight * score
    return _sorted(fused)


def rrf(lexical: Ranking, dense: Ranking, k: int = RRF_K) -> list[tuple[int, float]]:
    """Return the sum of 1 / (k + rank), best first, ties by key (Cormack et al. 2009)."""
    fused: dict[int, float] = {}
    for ranking in (lexical, dense):
        for rank, (key, _) in enumerate(ranking, 1):
            fused[key] = fused.get(key, 0.0) + 1.0 / (k + rank)
    return _sorted(fused)


def _min_max(ranking: Ranking) -> list[tuple[int, float]]:
    if not ranking:
        return []
    best, worst = ranking[0][1], ranking[-1][1]
    if best == worst:
        return [(key, 1.0) for key, _ in ranking]
    return [(key, (score - worst) / (best - worst)) for key, score in ranking]


def _sorted(fused: dict[int, float]) -> list[tuple[int, float]]:
    return sorted(fused.items(), key=lambda item: (-item[1], item[0]))
