"""What is measured, in the order of the table, with the target each is held to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scripts.bench.stats import ratio

Unit = Literal["s", "ms", "MB", "count"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One row of the table.

    Attributes:
        key: its name in JSON.
        label: its name in the table.
        unit: what its values are in; MB is 10^6 bytes.
        at_most: the most that ours may be, in the unit.
        ratio_at_most: the most that ours may be, as a multiple of the peer's.
    """

    key: str
    label: str
    unit: Unit
    at_most: float | None = None
    ratio_at_most: float | None = None

    def is_met(self, ours: float, peer: float | None) -> bool | None:
        """Whether the target is met; None where there is none, or no peer to compare with."""
        if self.at_most is not None:
            return ours <= self.at_most
        multiple = None if peer is None else ratio(ours, peer)
        if self.ratio_at_most is None or multiple is None:
            return None
        return multiple <= self.ratio_at_most

    def target(self) -> str:
        """The target in words; empty where there is none."""
        if self.at_most is not None:
            return f"≤ {self.at_most:g} {self.unit}"
        return f"≤ {self.ratio_at_most:g}x" if self.ratio_at_most is not None else ""


MEASURES: tuple[Measure, ...] = (
    Measure("ingest_seconds", "ingest", "s", ratio_at_most=0.8),
    Measure("ingest_cpu_seconds", "- processor time", "s"),
    Measure("ingest_peak_mb", "ingest, peak memory", "MB", at_most=400),
    Measure("unchanged_seconds", "ingest again, nothing changed", "s", ratio_at_most=0.3),
    Measure("edit_seconds", "one file edited: ingest + first search", "s", ratio_at_most=0.1),
    Measure("edit_ingest_seconds", "- of which the ingest", "s"),
    Measure("edit_search_seconds", "- of which the search", "s"),
    Measure("cold_search_seconds", "cold search, whole command", "s", ratio_at_most=0.1),
    Measure("cold_search_cpu_seconds", "- processor time", "s"),
    Measure("warm_p50_ms", "warm search in process, p50", "ms", at_most=3),
    Measure("warm_p95_ms", "warm search in process, p95", "ms", at_most=10),
    Measure("warm_question_p50_ms", "- natural questions, p50", "ms"),
    Measure("warm_question_p95_ms", "- natural questions, p95", "ms"),
    Measure("warm_keywords_p50_ms", "- keywords, p50", "ms"),
    Measure("warm_keywords_p95_ms", "- keywords, p95", "ms"),
    Measure("resident_mb", "resident memory after the queries", "MB", at_most=150),
    Measure("mcp_initialize_seconds", "MCP stdio: spawn to initialize", "s", at_most=2.5),
    Measure("mcp_first_after_seconds", "- initialize to first answer", "s", at_most=0.3),
    Measure("mcp_first_seconds", "- spawn to first answer", "s"),
    Measure("mcp_tenth_seconds", "- spawn to tenth answer", "s"),
    Measure("mcp_resident_mb", "- resident memory after ten", "MB"),
    Measure("index_mb", "index on disk", "MB"),
    Measure("documents", "documents", "count"),
    Measure("chunks", "chunks", "count"),
)
BY_KEY = {measure.key: measure for measure in MEASURES}
