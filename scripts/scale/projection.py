"""What the two largest sizes say about still larger ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.scale.measures import Figures

LARGER = (10_000_000, 100_000_000)
PROJECTED = (
    "ingest_cpu_seconds",
    "catalog_mb",
    "lexical_mb",
    "search_all_cpu_p50_ms",
    "search_all_cpu_p95_ms",
    "lexical_all_p50_ms",
    "lexical_hundredth_p50_ms",
    "bare_all_10_p50_ms",
)
"""Costs of a fixed part and a part for each chunk; processor time where there is a choice."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Projection:
    """A cost as a straight line over the number of chunks.

    Attributes:
        fixed: what it costs whatever the size.
        per_million: what each million chunks adds.
    """

    fixed: float
    per_million: float

    def at(self, chunks: int) -> float:
        """The cost at a number of chunks."""
        return self.fixed + self.per_million * chunks / _MILLION


def project(smaller: Figures, larger: Figures, keys: Sequence[str]) -> dict[str, Projection]:
    """Lay a line through two sizes.

    Args:
        smaller: figures of a size, with `chunks`.
        larger: figures of a larger size.
        keys: the measures; those that one of the sizes lacks, or that did not grow, are left out.
    """
    step = (larger["chunks"] - smaller["chunks"]) / _MILLION
    found = {}
    for key in keys:
        if key in smaller and key in larger and larger[key] > smaller[key] and step > 0:
            slope = (larger[key] - smaller[key]) / step
            fixed = larger[key] - slope * larger["chunks"] / _MILLION
            found[key] = Projection(fixed, slope)
    return found
