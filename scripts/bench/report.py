"""The result as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scripts.bench.machine import Machine
from scripts.bench.measures import MEASURES, Measure, Unit
from scripts.bench.stats import Summary, ratio, summarize

SCHEMA_VERSION = 1
NOTES = (
    "Medians of the repeats. The machine is shared, so figures move.",
    "Cold means a new process; the page cache is warm.",
    "Ours verifies every hit against its source file at search time.",
    "MB is 10^6 bytes; resident memory includes mapped index files.",
)
PEER_NOTES = (
    "The systems take turns. The peer searches in its default mode, `bm25`, and does not "
    "verify hits at search time.",
    "Each system runs at its default chunk size.",
)


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that one run of the benchmark found.

    Attributes:
        machine: what it ran on.
        corpus: `files` and `bytes` of the Markdown that was measured over.
        queries: `count`, `questions`, `keywords`, `limit` and `sha256`.
        versions: version by system, ours first.
        samples: repeats by system and measure.
        failures: what failed, one line each.
    """

    machine: Machine
    corpus: Mapping[str, int]
    queries: Mapping[str, int | str]
    versions: Mapping[str, str]
    samples: Mapping[str, Mapping[str, Sequence[float]]]
    failures: Sequence[str] = ()

    def summary(self, system: str, key: str) -> Summary | None:
        """The repeats of a measure of a system; None where it was not measured."""
        repeats = self.samples.get(system, {}).get(key)
        return summarize(repeats) if repeats else None

    def median(self, system: str, key: str) -> float | None:
        """The median of a measure of a system; None where it was not measured."""
        summary = self.summary(system, key)
        return summary.median if summary else None


def notes(result: Result) -> list[str]:
    """What the reader must know: the fixed notes, differing counts, and failures."""
    fixed = [*NOTES, *(PEER_NOTES if "peer" in result.versions else ())]
    differing = [_difference(result, key) for key in ("documents", "chunks")]
    failed = [f"Failed: {failure}" for failure in result.failures]
    return fixed + [line for line in differing if line] + failed


def _difference(result: Result, key: str) -> str:
    """That the systems made a different number of something; empty where they did not."""
    ours, peer = result.median("ours", key), result.median("peer", key)
    if ours is None or peer is None or ours == peer:
        return ""
    return f"The number of {key} differs: {ours:,.0f} of ours, {peer:,.0f} of the peer's."


def as_json(result: Result) -> dict[str, Any]:
    """The result as plain data."""
    return {
        "schema_version": SCHEMA_VERSION,
        "machine": asdict(result.machine),
        "corpus": dict(result.corpus),
        "queries": dict(result.queries),
        "systems": {
            name: {
                "version": version,
                "measures": {
                    key: asdict(summarize(repeats)) | {"samples": list(repeats)}
                    for key, repeats in result.samples.get(name, {}).items()
                },
            }
            for name, version in result.versions.items()
        },
        "comparison": {m.key: _comparison(result, m) for m in MEASURES},
        "notes": notes(result),
    }


def _comparison(result: Result, measure: Measure) -> dict[str, Any]:
    ours, peer = (result.median(name, measure.key) for name in ("ours", "peer"))
    return {
        "unit": measure.unit,
        "ratio": None if ours is None or peer is None else ratio(ours, peer),
        "target": measure.target() or None,
        "met": None if ours is None else measure.is_met(ours, peer),
    }


def as_table(result: Result) -> str:
    """The result as a Markdown page: machine, table, notes."""
    machine = result.machine
    head = [
        f"Machine: {machine.cpu}, {machine.cores} cores, "
        f"{machine.memory_bytes / 1e9:.0f} GB, {machine.system}, {machine.python}; "
        f"load {machine.load_1m:g} at the start.",
        f"Corpus: {result.corpus['files']:,} Markdown files, "
        f"{result.corpus['bytes'] / 1e6:.1f} MB. "
        f"Queries: {result.queries['questions']} natural questions and "
        f"{result.queries['keywords']} keyword queries, limit {result.queries['limit']}.",
    ]
    tail = [f"- {note}" for note in notes(result)]
    return "\n".join([*head, "", *_aligned(_rows(result)), "", *tail])


def _rows(result: Result) -> list[list[str]]:
    names = list(result.versions)
    titles = {"ours": "groundkit-retrieval", "peer": "groundkit"}
    systems = [f"{titles[name]} {result.versions[name]}" for name in names]
    ratios = ["ratio"] if "peer" in names else []
    return [
        ["measure", *systems, *ratios, "target", "met"],
        *(_row(result, measure, names) for measure in MEASURES),
    ]


def _row(result: Result, measure: Measure, names: Sequence[str]) -> list[str]:
    values = {name: result.median(name, measure.key) for name in names}
    ours, peer = values.get("ours"), values.get("peer")
    shown = [_shown(value, measure.unit) for value in values.values()]
    ratios = [_shown_ratio(ours, peer)] if "peer" in names else []
    met = None if ours is None else measure.is_met(ours, peer)
    verdict = {True: "yes", False: "no", None: ""}[met]
    return [measure.label, *shown, *ratios, measure.target(), verdict]


def _shown(value: float | None, unit: Unit) -> str:
    if value is None:
        return "-"
    if unit == "count":
        return f"{value:,.0f}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"


def _shown_ratio(ours: float | None, peer: float | None) -> str:
    multiple = ratio(ours, peer) if ours is not None and peer is not None else None
    return "-" if multiple is None else f"{multiple:.2g}x" if multiple < 10 else f"{multiple:.0f}x"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as a Markdown table, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = [("-" * widths[0]), *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = []
    for row in [rows[0], rule, *rows[1:]]:
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("| " + " | ".join([row[0].ljust(widths[0]), *rest]) + " |")
    return lines
