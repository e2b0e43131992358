"""What the table shows, in its order, with the targets of issue and design."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Unit = Literal["count", "MB", "ms", "s", "share", "x", "chunks/s"]
Figures = Mapping[str, float]
"""What was measured at one size, by key."""

MOST_GROWTH = 10.0
"""The most that a cost may grow while the chunks become ten times as many."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A target.

    Attributes:
        words: how it reads.
        of: the limit itself, given the figures of the same size; None where what it depends on
            was not measured.
        sizes: the number of chunks from which on it counts.
        at_least: the value must reach the limit instead of staying within it.
    """

    words: str
    of: Callable[[Figures], float | None]
    sizes: int = 0
    at_least: bool = False

    def is_met(self, value: float, figures: Figures) -> bool | None:
        """Whether the value keeps to the limit; None where there is none to compare with."""
        limit = self.of(figures)
        if limit is None:
            return None
        return value >= limit if self.at_least else value <= limit


@dataclass(frozen=True, slots=True)
class Measure:
    """One row of the table.

    Attributes:
        key: its name among the figures.
        label: its name in the table.
        unit: what its values are in; MB is 10^6 bytes.
        limit: the target, if there is one.
        is_cost: its growth with the number of chunks is held to `MOST_GROWTH`.
    """

    key: str
    label: str
    unit: Unit
    limit: Limit | None = None
    is_cost: bool = False


def _at_most(value: float, unit: str, sizes: int = 0) -> Limit:
    where = f" at {sizes:,}" if sizes else ""
    return Limit(f"≤ {value:g} {unit}{where}", lambda _: value, sizes)


def _beside_bare(percentile: str) -> Limit:
    key = f"bare_all_10_{percentile}_ms"
    return Limit(
        "≤ 2 ms + 2x bare", lambda figures: 2 + 2 * figures[key] if key in figures else None
    )


def _percentiles(
    key: str, label: str, limit: Callable[[str], Limit] | None = None, *, is_cost: bool = False
) -> list[Measure]:
    """The p50 and the p95 of a time in milliseconds."""
    return [
        Measure(f"{key}_{p}_ms", f"{label}, {p}", "ms", limit(p) if limit else None, is_cost)
        for p in ("p50", "p95")
    ]


_FILTERS = {"all": "no filter", "half": "50 %", "hundredth": "1 %"}
_SOON = _at_most(150, "ms")
_FAITHFUL = Limit("≥ 0.94", lambda _: 0.94, at_least=True)

MEASURES: tuple[Measure, ...] = (
    Measure("documents", "documents", "count"),
    Measure("refused", "- refused", "count"),
    Measure("chunks", "chunks", "count"),
    Measure("corpus_mb", "text", "MB"),
    Measure("vocabulary", "different tokens", "count"),
    Measure("ingest_seconds", "ingest", "s", is_cost=True),
    Measure("ingest_rate", "- rate", "chunks/s"),
    Measure("ingest_cpu_seconds", "ingest, processor time", "s", is_cost=True),
    Measure("ingest_peak_mb", "- peak memory, all processes", "MB"),
    Measure("catalog_mb", "catalog on disk", "MB", is_cost=True),
    Measure("lexical_mb", "lexical index on disk", "MB", is_cost=True),
    Measure("segments", "- segments", "count"),
    Measure("open_ms", "open + first read, new process", "ms", _at_most(20, "ms")),
    Measure("open_answer_ms", "open + first search, new process", "ms"),
    Measure("resident_mb", "reader's memory", "MB", _at_most(200, "MB", 1_000_000)),
    Measure("anonymous_mb", "- without mapped files", "MB"),
    *(
        measure
        for name, words in _FILTERS.items()
        for measure in _percentiles(
            f"search_{name}", f"search, limit 10, {words}", _beside_bare, is_cost=True
        )
    ),
    # Wall time on an idle machine: searches wait for nothing and use one thread.
    *_percentiles(
        "search_all_cpu",
        "search, no filter, processor time",
        lambda p: _beside_bare(f"cpu_{p}"),
        is_cost=True,
    ),
    *(
        measure
        for name, words in _FILTERS.items()
        for measure in _percentiles(
            f"lexical_{name}", f"lexical branch, k = 100, {words}", is_cost=True
        )
    ),
    Measure("add_short_ms", "add 100 short documents, until found", "ms", _SOON, is_cost=True),
    Measure("add_short_cpu_ms", "add 100 short documents, processor time", "ms", _SOON),
    Measure("short_batch_chunks", "- chunks in them", "count"),
    Measure("add_ms", "add 100 whole documents, until found", "ms", _SOON, is_cost=True),
    Measure("add_cpu_ms", "add 100 whole documents, processor time", "ms", _SOON),
    Measure("batch_chunks", "- chunks in them", "count"),
    Measure("add_by_root_ms", "- by an ingest of half the corpus", "ms", is_cost=True),
    Measure("delete_ms", "delete 100 whole documents, until gone", "ms", is_cost=True),
    Measure("overlap_body", "overlap@10 with exact BM25, body only", "share", _FAITHFUL),
    Measure("overlap_engine", "- with tantivy's idf and lengths in a byte", "share"),
    Measure("overlap_formula", "- as shipped, with exact BM25 of three fields", "share"),
    Measure("overlap_shipped", "- as shipped, with exact BM25 of the body", "share"),
    *(
        measure
        for name, words in _FILTERS.items()
        for k in (10, 100)
        for measure in _percentiles(f"bare_{name}_{k}", f"bare tantivy, k = {k}, {words}")
    ),
    Measure("bare_seconds", "- build from tokens", "s"),
    Measure("bare_mb", "- on disk", "MB"),
    Measure("bare_segments", "- segments", "count"),
    *_percentiles("bm25s_10", "bm25s, k = 10"),
    *_percentiles("bm25s_100", "bm25s, k = 100"),
    Measure("bm25s_seconds", "- build from tokens", "s"),
    Measure("bm25s_mb", "- memory", "MB"),
    *_percentiles("rank_bm25_10", "rank-bm25, k = 10"),
    Measure("rank_bm25_mb", "- memory", "MB"),
    Measure("search_to_bare", "search to bare tantivy, k = 10, p50", "x"),
    Measure("search_to_bm25s", "search to bm25s, k = 10, p50", "x"),
    Measure("search_to_rank_bm25", "search to rank-bm25, k = 10, p50", "x"),
    Measure("lexical_to_bare", "lexical branch to bare tantivy, k = 100, p50", "x"),
    Measure("lexical_to_bm25s", "lexical branch to bm25s, k = 100, p50", "x"),
)

RATIOS: dict[str, tuple[str, str]] = {
    "search_to_bare": ("search_all_p50_ms", "bare_all_10_p50_ms"),
    "search_to_bm25s": ("search_all_p50_ms", "bm25s_10_p50_ms"),
    "search_to_rank_bm25": ("search_all_p50_ms", "rank_bm25_10_p50_ms"),
    "lexical_to_bare": ("lexical_all_p50_ms", "bare_all_100_p50_ms"),
    "lexical_to_bm25s": ("lexical_all_p50_ms", "bm25s_100_p50_ms"),
}
"""Ratios by key: the figure that is divided, and by which."""


def ratios(figures: Figures) -> dict[str, float]:
    """The ratios of what was measured."""
    return {
        key: figures[ours] / figures[theirs]
        for key, (ours, theirs) in RATIOS.items()
        if ours in figures and figures.get(theirs)
    }
