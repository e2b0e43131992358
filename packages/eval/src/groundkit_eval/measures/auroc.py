"""How well a probability tells answerable queries from unanswerable ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return the area under the ROC curve, 0 to 1: P(positive > negative), ties counted half.

    Computed from the rank sum of the positives (Mann and Whitney 1947); at least one value each.
    """
    values = [(value, True) for value in positives] + [(value, False) for value in negatives]
    rank_sum, below = 0.0, 0
    for _, group in groupby(sorted(values), key=lambda item: item[0]):
        tied = [positive for _, positive in group]
        rank_sum += sum(tied) * (below + (len(tied) + 1) / 2)
        below += len(tied)
    wins = rank_sum - len(positives) * (len(positives) + 1) / 2
    return wins / (len(positives) * len(negatives))
