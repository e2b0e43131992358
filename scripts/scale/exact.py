"""BM25 without approximation, and how far a ranking agrees with it."""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rank_bm25 import BM25Okapi

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
"""As tantivy fixes them; the defaults of rank-bm25 are 1.5 and 0.75."""

_TIE = 1e-6
_BYTE = 256


class ExactField:
    """Okapi BM25 over the tokens of one field, by rank-bm25.

    Args:
        texts: tokens of each chunk between spaces.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._postings: dict[str, list[int]] = defaultdict(list)
        self.engine = BM25Okapi(self._split(texts), k1=K1, b=B)

    def _split(self, texts: Iterable[str]) -> Iterable[list[str]]:
        for number, text in enumerate(texts):
            tokens = [sys.intern(token) for token in text.split()]
            for token in dict.fromkeys(tokens):
                self._postings[token].append(number)
            yield tokens

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float64]:
        """The scores of all chunks; only those that hold a token are looked at."""
        scores = np.zeros(self.engine.corpus_size)
        for token in tokens:
            found = self._postings.get(token)
            if found:
                scores[found] += self.engine.get_batch_scores([token], found)
        return scores

    def approximate(self) -> None:
        """Score from now on as tantivy does.

        Its idf is `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative, and it keeps the
        length of a chunk in one byte, rounded down.
        """
        count, idf = self.engine.corpus_size, self.engine.idf
        for token, found in self._postings.items():
            idf[token] = math.log1p((count - len(found) + 0.5) / (len(found) + 0.5))
        lengths = _byte_lengths()
        self.engine.doc_len = [
            lengths[bisect_right(lengths, length) - 1] for length in self.engine.doc_len
        ]


def _byte_lengths() -> list[int]:
    """The lengths that a byte stands for: exact to 40, then in steps that double every eight."""
    lengths, step = list(range(40)), 2
    while len(lengths) < _BYTE:
        first = lengths[-1] + step // 2
        lengths += [first + step * n for n in range(8)]
        step *= 2
    return lengths[:_BYTE]


def overlap(found: Sequence[int], exact: NDArray[np.float64], k: int = 10) -> float:
    """The share of the best k that a ranking found; a chunk that ties with the last is as good.

    Args:
        found: numbers of chunks, best first.
        exact: the exact score of every chunk.
        k: how deep to look; less when fewer chunks score above zero.
    """
    depth = min(k, int((exact > 0).sum()))
    if not depth:
        return 1.0
    last = float(np.partition(exact, -depth)[-depth])
    good = sum(exact[number] >= last - _TIE for number in found[:depth])
    return float(good) / depth
