"""The result as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scripts.bench.machine import Machine
from scripts.bench.report import _aligned as aligned
from scripts.dense.measures import MEASURES
from scripts.dense.phases import CENTRES
from scripts.scale.measures import Measure
from scripts.scale.report import shown

NOTES = (
    "The machine is shared with other work, so times move; a query's time and the rates of "
    "embedding are the best of the rounds, cold times are medians.",
    "Queries are embedded by the real model (all-MiniLM-L6-v2, int8). The vectors of the chunks "
    f"are scattered around those of {CENTRES:,} real passages, so that not all need be embedded.",
    "Branches are timed alone; searches are whole calls that verify every hit against its file.",
    "Cold means a new process; the page cache is warm. Peak memory counts mapped files.",
    "The bare loop is tokenizers, onnxruntime and numpy over the same texts, all of them sorted by "
    "length, in batches of 8.",
    "MB is 10^6 bytes.",
)


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that one run found.

    Attributes:
        machine: what it ran on.
        versions: what was measured, by name.
        figures: by key of a measure; a key that is absent was not measured.
        failures: what failed, one line each.
    """

    machine: Machine
    versions: Mapping[str, str]
    figures: Mapping[str, float]
    failures: Sequence[str] = ()

    def missing(self) -> list[str]:
        """What was not measured."""
        return [measure.label for measure in MEASURES if measure.key not in self.figures]


def as_json(result: Result) -> dict[str, Any]:
    """The result as plain data."""
    return {
        "machine": asdict(result.machine),
        "versions": dict(result.versions),
        "figures": dict(result.figures),
        "targets": [
            {"key": m.key, "target": m.limit.words, "met": _met(result, m)}
            for m in MEASURES
            if m.limit is not None
        ],
        "failures": list(result.failures),
    }


def as_page(result: Result) -> str:
    """The result as Markdown: machine, table of what was measured, notes."""
    machine = result.machine
    beside = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    head = (
        f"Machine: {machine.cpu}, {machine.cores} cores, {machine.memory_bytes / 1e9:.0f} GB, "
        f"{machine.python}; load {machine.load_1m:g} at the start. Measured: {beside}."
    )
    rows = [_row(result, measure) for measure in MEASURES if measure.key in result.figures]
    table = "\n".join(aligned([["measure", "value", "target", "of the target", "met"], *rows]))
    failed = [f"Failed: {failure}" for failure in result.failures]
    missing = [f"Not measured: {label}" for label in result.missing()]
    return "\n\n".join([head, table, "\n".join(f"- {n}" for n in (*NOTES, *failed, *missing))])


def _row(result: Result, measure: Measure) -> list[str]:
    value = result.figures[measure.key]
    limit = measure.limit.of(result.figures) if measure.limit else None
    verdict = {True: "yes", False: "no", None: ""}[_met(result, measure)]
    return [
        measure.label,
        shown(value, measure.unit),
        measure.limit.words if measure.limit else "",
        f"{value / limit:.2f}x" if limit else "",
        verdict,
    ]


def _met(result: Result, measure: Measure) -> bool | None:
    if measure.limit is None or measure.key not in result.figures:
        return None
    return measure.limit.is_met(result.figures[measure.key], result.figures)
