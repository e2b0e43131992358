"""Correction for many comparisons (Holm 1979)."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values so raised that the chance of any false one below alpha is alpha."""
    order = sorted(range(len(p_values)), key=lambda number: p_values[number])
    corrected, highest = [1.0] * len(p_values), 0.0
    for done, number in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - done) * p_values[number]))
        corrected[number] = highest
    return corrected
