"""Split-conformal choice of a threshold for a rate of false answers.

Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005; Angelopoulos and Bates,
A Gentle Introduction to Conformal Prediction, 2021. With n unanswerable queries and a rate a, the
k-th smallest of their probabilities, k = ceil((n + 1)(1 - a)), is exceeded by that of another
unanswerable query with a chance of at most a, whatever the distribution, provided that the
queries are exchangeable.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from groundkit_eval.errors import CalibrationError


def rank(count: int, rate: float) -> int:
    """Return k, from 1; above `count` there are too few probabilities for the rate."""
    return math.ceil((count + 1) * (1 - exact(rate)))


def bound(count: int, rate: float) -> float:
    """Return the chance of a false answer that a threshold of `count` probabilities guarantees.

    It is (n + 1 - k) / (n + 1), at most the rate; without ties it is the chance itself.
    """
    return float(Fraction(count + 1 - rank(count, rate), count + 1))


def least(rate: float) -> int:
    """Return how many probabilities are needed at least: ceil(1 / rate) - 1."""
    return math.ceil(1 / exact(rate)) - 1


def threshold(probabilities: Sequence[float], rate: float) -> float:
    """Return the probability from which a query counts as answered.

    It is the next number above the k-th smallest, so that ties count against answering.

    Args:
        probabilities: those of unanswerable queries.
        rate: the share of unanswerable queries that may be answered, between 0 and 1.

    Raises:
        CalibrationError: too few probabilities, or no threshold up to 1 keeps the rate.
    """
    k = rank(len(probabilities), rate)
    if k > len(probabilities):
        raise CalibrationError(
            f"a rate of {rate:g} needs {least(rate)} unanswerable queries to choose a threshold "
            f"on, and there are {len(probabilities)}; add some, or allow a higher rate"
        )
    found = math.nextafter(sorted(probabilities)[k - 1], math.inf)
    if found > 1:
        raise CalibrationError(
            f"more than {rate:g} of the unanswerable queries have probability 1, so no threshold "
            "keeps the rate; check that nothing answers them, or allow a higher rate"
        )
    return found


def exact(rate: float) -> Fraction:
    """Return the rate as it is written, so that 0.05 is one twentieth."""
    return Fraction(str(rate))
