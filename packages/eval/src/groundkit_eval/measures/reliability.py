"""Whether a probability is what it says: how often queries of like probability are answerable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Queries of like probability.

    Attributes:
        low: least probability of the bin.
        high: its end; the last bin includes it.
        queries: how many fall into it.
        predicted: mean probability of these.
        observed: share of these that are answerable.
    """

    low: float
    high: float
    queries: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """The reliability curve, and the expected calibration error.

    Attributes:
        bins: those that hold queries, in order.
        ece: mean of the bins' |observed - predicted|, weighted by their queries, best 0.
    """

    bins: tuple[Bin, ...]
    ece: float


def reliability(
    answerable: Sequence[float], unanswerable: Sequence[float], bins: int = BINS
) -> Reliability:
    """Return the curve over bins of equal width, and ECE (Naeini, Cooper and Hauskrecht 2015).

    Args:
        answerable: probabilities of the answerable queries, each between 0 and 1.
        unanswerable: those of the unanswerable queries.
        bins: how many bins.
    """
    values = [(value, 1) for value in answerable] + [(value, 0) for value in unanswerable]
    held: list[list[tuple[float, int]]] = [[] for _ in range(bins)]
    for value, outcome in values:
        held[min(int(value * bins), bins - 1)].append((value, outcome))
    curve = tuple(_bin(number, bins, found) for number, found in enumerate(held) if found)
    error = sum(part.queries * abs(part.observed - part.predicted) for part in curve)
    return Reliability(curve, round(error / len(values), 6))


def _bin(number: int, bins: int, found: Sequence[tuple[float, int]]) -> Bin:
    return Bin(
        low=number / bins,
        high=(number + 1) / bins,
        queries=len(found),
        predicted=round(sum(value for value, _ in found) / len(found), 6),
        observed=round(sum(outcome for _, outcome in found) / len(found), 6),
    )
