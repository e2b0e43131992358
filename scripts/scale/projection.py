"""What the growth between the two largest sizes says about still larger ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scripts.scale.measures import Figures

LARGER = (10_000_000, 100_000_000)
PROJECTED = (
    "ingest_cpu_seconds",
    "catalog_mb",
    "lexical_mb",
    "resident_mb",
    "search_all_cpu_p50_ms",
    "search_all_cpu_p95_ms",
    "lexical_all_p50_ms",
    "bare_all_10_p50_ms",
    "add_cpu_ms",
)
"""Processor time where there is a choice: what else runs does not distort it as much."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A measure carried on along a power of the number of chunks.

    Attributes:
        exponent: 0 is constant, 1 is linear.
        values: by number of chunks.
    """

    exponent: float
    values: Mapping[int, float]


def project(smaller: Figures, larger: Figures, keys: Sequence[str]) -> dict[str, Projection]:
    """Carry on `value = a * chunks ** exponent`, fixed by two sizes.

    Args:
        smaller: figures of a size, with `chunks`.
        larger: figures of a larger size.
        keys: the measures; those that one of the sizes lacks are left out.
    """
    step = math.log(larger["chunks"] / smaller["chunks"])
    found = {}
    for key in keys:
        if smaller.get(key, 0) > 0 and larger.get(key, 0) > 0:
            exponent = math.log(larger[key] / smaller[key]) / step
            found[key] = Projection(
                exponent,
                {size: larger[key] * (size / larger["chunks"]) ** exponent for size in LARGER},
            )
    return found
