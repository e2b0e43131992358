"""The tables of a result, before they are rendered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundkit_eval.results import EvaluationResult, StageResult

TIMING_COLUMNS = ("p50 ms", "p95 ms")
_HEADERS = {
    "recall@1": "recall@1",
    "recall@5": "recall@5",
    "recall@10": "recall@10",
    "mrr@10": "MRR@10",
    "ndcg@10": "nDCG@10",
}
_BY_CATEGORY = ("ndcg@10", "recall@5")
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text.

    Attributes:
        words: columns that are aligned left beside the first; the others hold numbers.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[str] = frozenset()

    def is_left(self, number: int) -> bool:
        """Tell whether a column is aligned left."""
        return number == 0 or self.columns[number] in self.words


def headline(result: EvaluationResult) -> str:
    """Return one line on what was asked of what."""
    asked, corpus = result.judgments, result.corpus
    refused = f", {len(corpus.refused)} files refused" if corpus.refused else ""
    return (
        f"{asked.queries} queries ({asked.answerable} answerable, {asked.unanswerable} not) on "
        f"{corpus.documents} documents in {corpus.chunks} chunks{refused}; "
        f"{result.settings.limit} chunks asked for."
    )


def setup_line(result: EvaluationResult) -> str:
    """Return one line on embedder, fusion and reranker; empty when there is none of them."""
    settings, parts = result.settings, []
    if settings.embedding is not None:
        bound = settings.embedding
        parts.append(f"embedder {bound.provider} {bound.model} ({bound.dimensions} dimensions)")
    if settings.fusion is not None:
        alpha = "" if settings.fusion.alpha is None else f" with alpha {settings.fusion.alpha:g}"
        parts.append(f"{settings.fusion.method} fusion{alpha}")
    if settings.reranker is not None:
        parts.append(f"reranker {settings.reranker.provider} {settings.reranker.model}".rstrip())
    line = "; ".join(parts)
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def stage_table(result: EvaluationResult) -> Table:
    """Return the measures of each stage, and below each its difference to the baseline."""
    knows = ("AUROC",) if _has_auroc(result) else ()
    headers = map(measure_name, _measures(result))
    columns = ("stage", *headers, "abstained", "wrongly abstained", *knows)
    return Table("Stages", (*columns, *TIMING_COLUMNS), tuple(_stage_rows(result)))


def measure_name(measure: str) -> str:
    """Return a measure as the field writes it."""
    return _HEADERS.get(measure, measure)


def _measures(result: EvaluationResult) -> list[str]:
    return list(dict.fromkeys(name for stage in result.stages for name in stage.measures))


def _has_auroc(result: EvaluationResult) -> bool:
    return any(stage.abstention.auroc is not None for stage in result.stages)


def _stage_rows(result: EvaluationResult) -> Iterator[tuple[str, ...]]:
    gated, measures = _has_auroc(result), _measures(result)
    for stage in result.stages:
        latency = result.timings.stages[stage.name]
        yield (
            stage.name,
            *(_share(stage.measures.get(name)) for name in measures),
            _share(stage.abstention.unanswerable),
            _share(stage.abstention.answerable),
            *([_share(stage.abstention.auroc)] if gated else []),
            f"{latency.p50_ms:.1f}",
            f"{latency.p95_ms:.1f}",
        )
        if stage.delta is not None:
            yield (
                f"vs {result.settings.baseline}",
                *(_difference(stage.delta.get(name)) for name in measures),
                *[""] * (5 if gated else 4),
            )


def category_table(result: EvaluationResult) -> Table:
    """Return nDCG@10 and recall@5 of each stage by category of the queries."""
    headers = [f"{stage.name} {_HEADERS[name]}" for name in _BY_CATEGORY for stage in result.stages]
    rows = tuple(
        (category, str(queries), *_category_cells(result.stages, category))
        for category, queries in result.judgments.categories.items()
    )
    return Table("Categories", ("category", "queries", *headers), rows)


def _category_cells(stages: tuple[StageResult, ...], category: str) -> Iterator[str]:
    for name in _BY_CATEGORY:
        for stage in stages:
            yield _share(stage.categories[category].get(name))


def _share(value: float | None) -> str:
    return _NONE if value is None else f"{value:.3f}"


def _difference(value: float | None) -> str:
    return _NONE if value is None else f"{value:+.3f}"
