"""Joins the rankings of branches into one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundkit_core.contracts import FusionMethod

Ranking = Sequence[tuple[int, float]]
"""(chunk key, score), best first."""

ALPHA = 0.5
STATIC_ALPHA = 0.3
RRF_K = 60
_STATIC = re.compile(r"\b(static|potion|model2vec|m2v)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fusion:
    """How the two rankings become one.

    Attributes:
        method: `weighted` or `rrf`.
        alpha: weight of the dense branch in `weighted`, 0 to 1.
    """

    method: FusionMethod = "weighted"
    alpha: float = ALPHA

    def join(self, lexical: Ranking, dense: Ranking) -> list[tuple[int, float]]:
        """Return the joined ranking, best first."""
        if self.method == "rrf":
            return rrf(lexical, dense)
        return weighted(lexical, dense, self.alpha)


def default_alpha(identity: Mapping[str, Any]) -> float:
    """Return the weight that suits an embedder: static ones know words, not sentences."""
    static = identity["provider"] == "hash" or _STATIC.search(identity["model"].replace("_", "-"))
    return STATIC_ALPHA if static else ALPHA


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
