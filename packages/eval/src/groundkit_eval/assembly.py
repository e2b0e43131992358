"""Puts the result of an evaluation together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from groundkit_eval.comparison import delta
from groundkit_eval.judgments.model import JudgedQuery, JudgedSet
from groundkit_eval.measures.abstention import Abstention
from groundkit_eval.measures.citations import CitationShares
from groundkit_eval.measures.latency import percentile
from groundkit_eval.measures.reliability import Reliability
from groundkit_eval.passages import GoldTexts, shown_passages
from groundkit_eval.results import (
    AbstentionShares,
    CitationVerdicts,
    EvaluationResult,
    EvaluationSettings,
    JudgmentsSummary,
    Latency,
    QueryAnswer,
    QueryResult,
    RankedPlace,
    ReliabilityBin,
    ReliabilityCurve,
    StageResult,
    Timings,
)
from groundkit_eval.scoring import ScoredRun
from groundkit_eval.subjects import Facts
from groundkit_eval.systems import System

_DISTRIBUTIONS = ("groundkit-core", "groundkit-index", "groundkit-retrieval", "groundkit-eval")


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an evaluation was made of: corpus, judgments, and the scored run of each system.

    The first system is the baseline.
    """

    facts: Facts
    judged: JudgedSet
    systems: Sequence[System]
    runs: Sequence[ScoredRun]
    limit: int

    @property
    def queries(self) -> tuple[JudgedQuery, ...]:
        """The judged queries."""
        return self.judged.queries


def assemble(
    evaluated: Evaluated, *, index_seconds: float, scoring_seconds: float, total_seconds: float
) -> EvaluationResult:
    """Return the result in the form that is written to JSON."""
    timings = Timings(
        index_seconds=round(index_seconds, 3),
        scoring_seconds=round(scoring_seconds, 3),
        total_seconds=round(total_seconds, 3),
        stages={scored.run.stage: _latency(scored) for scored in evaluated.runs},
    )
    return EvaluationResult(
        settings=_settings(evaluated),
        corpus=evaluated.facts.corpus,
        judgments=_judgments(evaluated),
        stages=_stages(evaluated),
        passages=shown_passages(evaluated.facts.chunks, [scored.run for scored in evaluated.runs]),
        queries=_queries(evaluated),
        timings=timings,
    )


def _latency(scored: ScoredRun) -> Latency:
    values = scored.run.latencies_ms
    return Latency(
        p50_ms=percentile(values, 50),
        p95_ms=percentile(values, 95),
        queries_ms=tuple(round(value, 3) for value in values),
    )


def _settings(evaluated: Evaluated) -> EvaluationSettings:
    facts = evaluated.facts
    return EvaluationSettings(
        limit=evaluated.limit,
        index=facts.index,
        versions={name: version(name) for name in _DISTRIBUTIONS},
        baseline=evaluated.systems[0].name,
        embedding=facts.embedding,
        fusion=facts.fusion,
        reranker=facts.reranker,
        unit=evaluated.judged.unit,
    )


def _judgments(evaluated: Evaluated) -> JudgmentsSummary:
    answerable = sum(query.answerable for query in evaluated.queries)
    categories = Counter(query.category for query in evaluated.queries)
    return JudgmentsSummary(
        queries=len(evaluated.queries),
        answerable=answerable,
        unanswerable=len(evaluated.queries) - answerable,
        categories=dict(sorted(categories.items())),
        sha256=evaluated.judged.sha256,
    )


def _stages(evaluated: Evaluated) -> tuple[StageResult, ...]:
    baseline = evaluated.runs[0].overall
    return tuple(
        StageResult(
            name=system.name,
            summary=system.summary,
            measures=scored.overall,
            delta=None if system is evaluated.systems[0] else delta(scored.overall, baseline),
            abstention=_abstention(scored.abstention),
            categories=scored.by_category,
            settings=system.settings,
            matched=dict(scored.matched),
            citations=_citations(scored.citations),
        )
        for system, scored in zip(evaluated.systems, evaluated.runs, strict=True)
    )


def _abstention(found: Abstention) -> AbstentionShares:
    return AbstentionShares(
        unanswerable=found.unanswerable,
        answerable=found.answerable,
        auroc=found.auroc,
        answered_at=found.answered_at,
        reliability=_reliability(found.reliability),
    )


def _reliability(found: Reliability | None) -> ReliabilityCurve | None:
    if found is None:
        return None
    bins = tuple(ReliabilityBin(**asdict(part)) for part in found.bins)
    return ReliabilityCurve(bins=bins, ece=found.ece)


def _citations(found: CitationShares | None) -> CitationVerdicts | None:
    if found is None:
        return None
    return CitationVerdicts(hits=found.hits, shares=dict(found.shares))


def _queries(evaluated: Evaluated) -> tuple[QueryResult, ...]:
    texts = GoldTexts(evaluated.facts.chunks)
    return tuple(_query(evaluated, number, texts) for number in range(len(evaluated.queries)))


def _query(evaluated: Evaluated, number: int, texts: GoldTexts) -> QueryResult:
    query = evaluated.queries[number]
    return QueryResult(
        id=query.id,
        query=query.text,
        category=query.category,
        source_class=query.source_class,
        gold=texts.shown(query),
        stages={scored.run.stage: _answer(scored, number, query) for scored in evaluated.runs},
    )


def _answer(scored: ScoredRun, number: int, query: JudgedQuery) -> QueryAnswer:
    answer, covered = scored.run.answers[number], scored.covered[number]
    probability = scored.run.probabilities[number]
    relevant = (rank for rank, new in enumerate(covered, start=1) if new)
    return QueryAnswer(
        status="NO_RELEVANT_CONTEXT" if answer.abstained else "OK",
        first_relevant_rank=next(relevant, None),
        measures=scored.by_query.get(query.id, {}),
        ranked=tuple(
            RankedPlace(
                chunk_id=chunk.chunk_id,
                source=chunk.place.source,
                start=chunk.place.start,
                end=chunk.place.end,
                covers=new,
            )
            for chunk, new in zip(scored.ranked[number], covered, strict=True)
        ),
        probability=None if probability is None else round(probability, 6),
    )
