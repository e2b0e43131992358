"""Cheap signals that tell an answered query from one that nothing answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_TOP = 10
_COVERED = 3

Ranking = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the two rankings of a query look like; a branch that did not run gives zeros.

    Attributes:
        bm25_ratio: best BM25 score over the sum of the query's idf.
        idf_coverage: largest share of the query's idf that one of the top 3 passages holds.
        top_cosine: best cosine.
        cosine_gap: best cosine minus the mean of the top 10.
        overlap: share of the two top 10 that both hold.
        same_top: 1 when both put the same passage first.
    """

    bm25_ratio: float = 0.0
    idf_coverage: float = 0.0
    top_cosine: float = 0.0
    cosine_gap: float = 0.0
    overlap: float = 0.0
    same_top: float = 0.0

    def values(self, names: Sequence[str]) -> list[float]:
        """Return the named signals in order."""
        return [float(getattr(self, name)) for name in names]


def measure(
    lexical: Ranking,
    dense: Ranking,
    idf: dict[str, float],
    tokens_of: Callable[[list[int]], list[set[str]]],
) -> Signals:
    """Return the signals of a query.

    Args:
        lexical: (chunk key, BM25 score), best first.
        dense: (chunk key, cosine), best first.
        idf: inverse document frequency of each token of the query.
        tokens_of: returns the token sets of chunks by key.
    """
    mass = sum(idf.values())
    ratio = coverage = 0.0
    if lexical and mass > 0:
        ratio = lexical[0][1] / mass
        held = tokens_of([key for key, _ in lexical[:_COVERED]])
        coverage = max(
            (sum(w for token, w in idf.items() if token in tokens) / mass for tokens in held),
            default=0.0,
        )
    cosines = [score for _, score in dense[:_TOP]]
    top = cosines[0] if cosines else 0.0
    gap = top - sum(cosines) / len(cosines) if cosines else 0.0
    first, second = ({key for key, _ in ranking[:_TOP]} for ranking in (lexical, dense))
    both = len(first & second) / _TOP
    same = float(bool(lexical and dense) and lexical[0][0] == dense[0][0])
    return Signals(ratio, coverage, top, gap, both, same)
