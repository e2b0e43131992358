"""Cheap signals that tell an answered query from one that nothing answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

_TOP = 10
_NEXT = 5
_COVERED = 3

Ranking = Sequence[tuple[int, float]]
"""(chunk key, score), best first."""


class Terms(Protocol):
    """What the lexical index knows of terms; a `Snapshot` does."""

    def idf(self, tokens: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each token."""

    def highest_idf(self) -> float:
        """Return the inverse document frequency of a token that no chunk has."""

    def coverage(self, keys: Sequence[int], idf: Mapping[str, float]) -> float:
        """Return the largest sum of idf of the tokens that one of these chunks holds."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the two rankings of a query look like; a branch that did not run gives zeros.

    Attributes:
        bm25_ratio: best BM25 score over the sum of the query's idf.
        idf_coverage: largest share of the query's idf that one of the top 3 passages holds.
        bm25_gap: how far the next four fall behind the best BM25 score, as a share of it.
        rarity: idf of the query's rarest token over that of a token nobody uses.
        top_cosine: best cosine.
        cosine_gap: best cosine minus the mean of the top 10.
        overlap: share of the two top 10 that both hold.
        same_top: 1 when both put the same passage first.
    """

    bm25_ratio: float = 0.0
    idf_coverage: float = 0.0
    bm25_gap: float = 0.0
    rarity: float = 0.0
    top_cosine: float = 0.0
    cosine_gap: float = 0.0
    overlap: float = 0.0
    same_top: float = 0.0

    def values(self, names: Sequence[str]) -> list[float]:
        """Return the named signals in order."""
        return [float(getattr(self, name)) for name in names]


SIGNALS = tuple(field.name for field in fields(Signals))


def measure(tokens: Sequence[str], lexical: Ranking, dense: Ranking, terms: Terms) -> Signals:
    """Return the signals of a query.

    Args:
        tokens: the query's tokens.
        lexical: (chunk key, BM25 score), best first.
        dense: (chunk key, cosine), best first.
        terms: what the lexical index knows of terms.
    """
    idf = terms.idf(tokens)
    mass = sum(idf.values())
    words = (0.0, 0.0, 0.0)
    if lexical and mass > 0 and lexical[0][1] > 0:
        best = lexical[0][1]
        following = [score for _, score in lexical[1:_NEXT]]
        covered = terms.coverage([key for key, _ in lexical[:_COVERED]], idf)
        words = (best / mass, covered / mass, 1 - _mean(following) / best)
    cosines = [score for _, score in dense[:_TOP]]
    first, second = ({key for key, _ in ranking[:_TOP]} for ranking in (lexical, dense))
    return Signals(
        *words,
        max(idf.values(), default=0.0) / terms.highest_idf(),
        cosines[0] if cosines else 0.0,
        cosines[0] - _mean(cosines) if cosines else 0.0,
        len(first & second) / _TOP,
        float(bool(lexical and dense) and lexical[0][0] == dense[0][0]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
