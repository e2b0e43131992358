"""What the table shows, in its order, with the targets."""

from __future__ import annotations

from scripts.scale.measures import Figures, Limit, Measure

HYBRID_SLACK_MS = 3.0
FILTER_RATIO = 1.5
THROUGHPUT_RATIO = 0.9


def _at_most(value: float, unit: str) -> Limit:
    return Limit(f"≤ {value:g} {unit}", lambda _: value)


def _at_least(value: float) -> Limit:
    return Limit(f"≥ {value:g}", lambda _: value, at_least=True)


def _of_unfiltered(depth: int) -> Limit:
    key = f"dense_all_{depth}_p50_ms"
    return Limit(
        f"≤ {FILTER_RATIO:g}x unfiltered",
        lambda figures: FILTER_RATIO * figures[key] if key in figures else None,
    )


def _slower_search(figures: Figures) -> float | None:
    """The slower of the two modes alone; the dense one holds the query embedding."""
    modes = [figures.get(f"search_{mode}_p50_ms") for mode in ("lexical", "dense")]
    known = [value for value in modes if value is not None]
    return max(known) + HYBRID_SLACK_MS if len(known) == len(modes) else None


_HYBRID = Limit(f"≤ slower mode alone + {HYBRID_SLACK_MS:g} ms", _slower_search)


def _beside_bare(key: str) -> Limit:
    return Limit(
        f"≥ {THROUGHPUT_RATIO:g}x the bare loop",
        lambda figures: THROUGHPUT_RATIO * figures[key] if key in figures else None,
        at_least=True,
    )


_FOUND = _at_least(0.98)
_QUICK = _at_most(15, "ms")
_MEMORY = _at_most(600, "MB")

MEASURES: tuple[Measure, ...] = (
    Measure("chunks", "chunks", "count"),
    Measure("embed_p50_ms", "query embedding, p50", "ms"),
    Measure("dense_all_10_p50_ms", "dense branch, k = 10, p50", "ms", _QUICK),
    Measure("dense_all_10_p95_ms", "- p95", "ms"),
    Measure("dense_all_100_p50_ms", "dense branch, k = 100, p50", "ms", _QUICK),
    Measure("dense_half_10_p50_ms", "- with a 50 % filter, k = 10", "ms", _of_unfiltered(10)),
    Measure("dense_hundredth_10_p50_ms", "- with a 1 % filter, k = 10", "ms", _of_unfiltered(10)),
    Measure("dense_half_100_p50_ms", "- with a 50 % filter, k = 100", "ms", _of_unfiltered(100)),
    Measure(
        "dense_hundredth_100_p50_ms", "- with a 1 % filter, k = 100", "ms", _of_unfiltered(100)
    ),
    Measure("lexical_p50_ms", "lexical branch, k = 100, p50", "ms"),
    Measure("search_lexical_p50_ms", "lexical search, limit 10, p50", "ms"),
    Measure("search_dense_p50_ms", "dense search with query embedding, limit 10, p50", "ms"),
    Measure("search_dense_p95_ms", "- p95", "ms"),
    Measure(
        "search_hybrid_p50_ms", "hybrid search with query embedding, limit 10, p50", "ms", _HYBRID
    ),
    Measure("search_hybrid_p95_ms", "- p95", "ms"),
    Measure("recall_all", "recall@10 against exact", "share", _FOUND),
    Measure("recall_half", "- with a 50 % filter", "share", _FOUND),
    Measure("recall_hundredth", "- with a 1 % filter", "share", _FOUND),
    Measure("cold_lexical_seconds", "cold lexical search, whole command", "s"),
    Measure("cold_hybrid_seconds", "cold hybrid search, whole command", "s", _at_most(1.2, "s")),
    Measure("cold_hybrid_peak_mb", "- peak memory, mapped vectors included", "MB"),
    Measure("bare_rate", "bare onnxruntime loop, passages a second", "count"),
    Measure("embedder_rate", "- the embedder", "count", _beside_bare("bare_rate")),
    Measure("backfill_rate", "- from catalog to disk", "count", _beside_bare("bare_rate")),
    Measure("bare_cpu_rate", "bare onnxruntime loop, passages a processor second", "count"),
    Measure("embedder_cpu_rate", "- the embedder", "count", _beside_bare("bare_cpu_rate")),
    Measure("backfill_cpu_rate", "- from catalog to disk", "count", _beside_bare("bare_cpu_rate")),
    Measure("small_chunks", "chunks of a small backfill, onnx", "count"),
    Measure("small_peak_mb", "- peak memory", "MB", _MEMORY),
    Measure("medium_chunks", "chunks of a larger backfill, onnx", "count"),
    Measure("medium_peak_mb", "- peak memory", "MB", _MEMORY),
    Measure("whole_peak_mb", "backfill of all chunks, hash, peak memory", "MB", _MEMORY),
    Measure("fill_rate", "vectors taken up a second, not embedded", "count"),
    Measure("large_rows", "vectors of an indexed table", "count"),
    Measure("large_seconds", "- to index them", "s"),
    Measure("large_peak_mb", "- peak memory of filling and indexing", "MB", _MEMORY),
    Measure("large_index_p50_ms", "- k = 100, p50 with the index", "ms"),
    Measure("large_scan_p50_ms", "- k = 100, p50 of a scan", "ms"),
    Measure("large_recall_all", "- recall@10 against exact", "share", _FOUND),
    Measure("large_recall_half", "- with a 50 % filter", "share", _FOUND),
    Measure("large_recall_hundredth", "- with a 1 % filter", "share", _FOUND),
    Measure(
        "large_tail_found", "- share found of rows that came after the index", "share", _at_least(1)
    ),
)
