"""Differences between a stage and the baseline."""

from __future__ import annotations

from collections.abc import Mapping


def delta(
    measures: Mapping[str, float | None], baseline: Mapping[str, float | None]
) -> dict[str, float | None]:
    """Return measure minus baseline, for each measure; None where either has no value."""
    differences: dict[str, float | None] = {}
    for name, value in measures.items():
        base = baseline.get(name)
        differences[name] = None if value is None or base is None else round(value - base, 6)
    return differences
