"""The result as tables for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scripts.bench.machine import Machine
from scripts.bench.report import _aligned as aligned
from scripts.scale.measures import MEASURES, MOST_GROWTH, Figures, Measure, Unit
from scripts.scale.projection import LARGER, PROJECTED, Projection, project

SCHEMA_VERSION = 1
NOTES = (
    "Searches are whole calls of `Collection.search`: every hit is verified against its file. They "
    "and bare tantivy are timed in turn in one process; a query's time is the best of its rounds.",
    "Bare tantivy, bm25s and rank-bm25 are fed the tokens of the bodies, with k1 = 1.2 and "
    "b = 0.75. They hold no text, verify nothing, and bm25s and rank-bm25 have no filter.",
    "The page cache is warm. Resident memory includes the pages of mapped index files.",
    "MB is 10^6 bytes. Growth is from the size before to the largest. What is carried on follows a "
    "straight line through these two.",
)


@dataclass(frozen=True, slots=True)
class Size:
    """What was measured at one size."""

    figures: Figures
    samples: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that one run found.

    Attributes:
        machine: what it ran on.
        seeds: what the corpora were spliced from.
        queries: `count`, `questions`, `keywords` and `sha256`.
        versions: what was measured, by name.
        sizes: by number of chunks that were asked for, ascending.
        failures: what failed, one line each.
    """

    machine: Machine
    seeds: str
    queries: Mapping[str, int | str]
    versions: Mapping[str, str]
    sizes: Mapping[int, Size]
    failures: Sequence[str] = ()

    def values(self, measure: Measure) -> list[float | None]:
        """The values of a measure, size by size."""
        return [size.figures.get(measure.key) for size in self.sizes.values()]

    def met(self, measure: Measure) -> list[bool | None]:
        """Whether the target of a measure is met, size by size; None where it does not count."""
        return [_is_met(measure, count, size.figures) for count, size in self.sizes.items()]

    def growth(self, measure: Measure) -> float | None:
        """The value at the largest size by that at the size before."""
        known = self.values(measure)[-2:]
        if len(known) < 2 or known[1] is None or not known[0]:
            return None
        return known[1] / known[0]

    def projections(self) -> dict[str, Projection]:
        """What the two largest sizes say about larger ones."""
        if len(self.sizes) < 2:
            return {}
        smaller, larger = list(self.sizes.values())[-2:]
        return project(smaller.figures, larger.figures, PROJECTED)


def _is_met(measure: Measure, count: int, figures: Figures) -> bool | None:
    value, limit = figures.get(measure.key), measure.limit
    if limit is None or value is None or count < limit.sizes:
        return None
    return limit.is_met(value, figures)


def as_json(result: Result) -> dict[str, Any]:
    """The result as plain data."""
    return {
        "schema_version": SCHEMA_VERSION,
        "machine": asdict(result.machine),
        "seeds": result.seeds,
        "queries": dict(result.queries),
        "versions": dict(result.versions),
        "sizes": {
            str(count): {"figures": dict(size.figures), "samples": dict(size.samples)}
            for count, size in result.sizes.items()
        },
        "targets": [_target(result, m) for m in MEASURES if m.limit is not None],
        "growth": {m.key: result.growth(m) for m in MEASURES if m.is_cost},
        "projections": {
            key: {
                "fixed": one.fixed,
                "per_million": one.per_million,
                "values": {str(size): one.at(size) for size in LARGER},
            }
            for key, one in result.projections().items()
        },
        "notes": notes(result),
    }


def _target(result: Result, measure: Measure) -> dict[str, Any]:
    words = measure.limit.words if measure.limit else ""
    met = dict(zip(map(str, result.sizes), result.met(measure), strict=True))
    return {"key": measure.key, "target": words, "met": met}


def notes(result: Result) -> list[str]:
    """The fixed notes, costs that grow too fast, and failures."""
    too_fast = [
        f"Grows {growth:.1f}x, more than {MOST_GROWTH:g}x: {measure.label}."
        for measure in MEASURES
        if measure.is_cost and (growth := result.growth(measure) or 0) > MOST_GROWTH
    ]
    return [*NOTES, *too_fast, *(f"Failed: {failure}" for failure in result.failures)]


def as_page(result: Result) -> str:
    """The result as Markdown: machine, table, projection, notes."""
    machine, queries = result.machine, result.queries
    beside = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    head = [
        f"Machine: {machine.cpu}, {machine.cores} cores, {machine.memory_bytes / 1e9:.0f} GB, "
        f"{machine.python}; load {machine.load_1m:g} at the start.",
        f"Corpora spliced from {result.seeds}. Queries: {queries['questions']} natural questions "
        f"and {queries['keywords']} keyword queries. Measured: {beside}.",
    ]
    tables = [aligned(_rows(result))]
    projections = result.projections()
    if projections:
        tables.append(aligned(_projected(projections)))
    parts = ["\n".join(head), *map("\n".join, tables), "\n".join(f"- {n}" for n in notes(result))]
    return "\n\n".join(parts)


def _rows(result: Result) -> list[list[str]]:
    sizes = [f"{count:,}" for count in result.sizes]
    taken = [m for m in MEASURES if any(v is not None for v in result.values(m))]
    return [
        ["measure", *sizes, "growth", "target", "met"],
        *(_row(result, measure) for measure in taken),
    ]


def _row(result: Result, measure: Measure) -> list[str]:
    growth = result.growth(measure) if measure.is_cost else None
    verdicts = ["-" if met is None else "yes" if met else "no" for met in result.met(measure)]
    return [
        measure.label,
        *(shown(value, measure.unit) for value in result.values(measure)),
        "" if growth is None else f"{growth:.1f}x",
        measure.limit.words if measure.limit else "",
        " ".join(verdicts) if measure.limit else "",
    ]


def _projected(projections: Mapping[str, Projection]) -> list[list[str]]:
    by_key = {measure.key: measure for measure in MEASURES}
    return [
        ["carried on", "fixed", "per million", *(f"{size:,}" for size in LARGER)],
        *(
            [
                by_key[key].label,
                *(shown(value, by_key[key].unit) for value in (one.fixed, one.per_million)),
                *(shown(one.at(size), by_key[key].unit) for size in LARGER),
            ]
            for key, one in projections.items()
        ),
    ]


def shown(value: float | None, unit: Unit) -> str:
    """A value with its unit, to three digits."""
    if value is None:
        return "-"
    if unit == "count":
        return f"{value:,.0f}"
    if unit == "share":
        return f"{value:.3f}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}{'x' if unit == 'x' else f' {unit}'}"
