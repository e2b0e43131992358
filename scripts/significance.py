"""Does the comparison of groundkit-eval keep its error rate, and do its intervals cover?

Simulates comparisons of two systems of which nothing is known but that they are equally good, and
counts how often the paired randomisation test rejects at 5 %; then comparisons with a true
difference, and counts how often the bootstrap interval holds it. Run as
`python -m scripts.significance [--comparisons N]`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groundkit_eval.comparison.bootstrap import intervals
from groundkit_eval.comparison.randomisation import p_values

VALUES = np.array([0.0, 0.289, 0.315, 0.387, 0.431, 0.5, 0.631, 0.815, 0.92, 1.0])
SHARES = np.array([0.15, 0.01, 0.02, 0.04, 0.04, 0.08, 0.13, 0.04, 0.03, 0.46])
"""About what nDCG@10 is on the golden questions: many ties, and skewed to 1."""

QUERIES = (100, 200, 600)
BATCH = 100
_SAME = 0.6
"""Share of the queries that both systems answer alike."""

_LIFTED = 0.1
"""Share of the queries that the better of two systems answers perfectly."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of the comparisons in which the test rejects, and the interval holds the truth."""

    rejected: float
    covered: float


def simulate(comparisons: int, queries: int, seed: int) -> Rates:
    """Simulate so many comparisons; every batch of them draws its own signs and resamples."""
    rng = np.random.default_rng(seed)
    rejected = covered = 0
    for number, size in enumerate(_batches(comparisons)):
        before, after = _equally_good(rng, queries, size)
        found = p_values(np.round(after - before, 6), seed=seed + number)
        rejected += sum(p <= 0.05 for p in found)
        lifted = np.where(rng.random(after.shape) < _LIFTED, 1.0, after)
        truth = _LIFTED * (1 - float(VALUES @ SHARES))
        ranges = intervals(lifted - before, seed=seed + number)
        covered += sum(low <= truth <= high for low, high in ranges)
    return Rates(rejected / comparisons, covered / comparisons)


def _batches(comparisons: int) -> list[int]:
    return [min(BATCH, comparisons - first) for first in range(0, comparisons, BATCH)]


def _equally_good(
    rng: np.random.Generator, queries: int, comparisons: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw the values of two systems that are exchangeable on every query."""
    shape = (queries, comparisons)
    before = rng.choice(VALUES, p=SHARES, size=shape)
    other = rng.choice(VALUES, p=SHARES, size=shape)
    return before, np.where(rng.random(shape) < _SAME, before, other)


def main() -> None:
    """Print a line for each number of queries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for queries in QUERIES:
        rates = simulate(options.comparisons, queries, options.seed)
        print(
            f"{options.comparisons} comparisons of {queries} queries: "
            f"{rates.rejected:.1%} of the equal ones rejected at 5 %, "
            f"{rates.covered:.1%} of the 95 % intervals hold the difference"
        )


if __name__ == "__main__":
    main()
