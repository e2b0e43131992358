"""Puts the result of an evaluation together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from groundkit_eval.comparison import delta
from groundkit_eval.judgments.jsonl import JudgmentFile
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.measures.latency import percentile
from groundkit_eval.results import (
    AbstentionShares,
    CorpusSummary,
    EvaluationResult,
    EvaluationSettings,
    GoldPlace,
    JudgmentsSummary,
    Latency,
    QueryAnswer,
    QueryResult,
    RankedPlace,
    RerankerSummary,
    StageResult,
    Timings,
)
from groundkit_eval.scoring import ScoredRun
from groundkit_eval.setup import Setup
from groundkit_eval.stages import BASELINE, STAGES
from groundkit_eval.targets import Target, corpus_digest

_DISTRIBUTIONS = ("groundkit-core", "groundkit-index", "groundkit-retrieval", "groundkit-eval")


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an evaluation was made of: corpus, judgments, and the scored run of each stage."""

    target: Target
    file: JudgmentFile
    queries: tuple[JudgedQuery, ...]
    runs: Sequence[ScoredRun]
    limit: int


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
        corpus=_corpus(evaluated.target),
        judgments=_judgments(evaluated),
        stages=_stages(evaluated.runs),
        queries=tuple(_query(evaluated, place) for place in range(len(evaluated.queries))),
        timings=timings,
    )


def _latency(scored: ScoredRun) -> Latency:
    values = scored.run.latencies_ms
    return Latency(p50_ms=percentile(values, 50), p95_ms=percentile(values, 95))


def _settings(evaluated: Evaluated) -> EvaluationSettings:
    return EvaluationSettings(
        limit=evaluated.limit,
        index=evaluated.target.settings,
        versions={name: version(name) for name in _DISTRIBUTIONS},
        baseline=BASELINE,
        embedding=evaluated.target.embedding,
        fusion=evaluated.target.fusion,
        reranker=_reranker(evaluated.target.setup),
    )


def _reranker(setup: Setup) -> RerankerSummary | None:
    if setup.reranker is None:
        return None
    model = setup.reranker.model
    # A folder is named without the place where it lies, so that results stay comparable.
    shown = Path(model).expanduser().absolute().name if Path(model).expanduser().is_dir() else model
    return RerankerSummary(provider=setup.reranker.provider, model=shown if model else "")


def _corpus(target: Target) -> CorpusSummary:
    documents = target.documents
    return CorpusSummary(
        documents=len(documents),
        chunks=len(target.chunks),
        refused={refusal.source: refusal.reason for refusal in target.report.refusals},
        sha256=corpus_digest(list(documents.values())),
    )


def _judgments(evaluated: Evaluated) -> JudgmentsSummary:
    answerable = sum(query.answerable for query in evaluated.queries)
    categories = Counter(query.category for query in evaluated.queries)
    return JudgmentsSummary(
        queries=len(evaluated.queries),
        answerable=answerable,
        unanswerable=len(evaluated.queries) - answerable,
        categories=dict(sorted(categories.items())),
        sha256=evaluated.file.sha256,
    )


def _stages(runs: Sequence[ScoredRun]) -> tuple[StageResult, ...]:
    baseline = next(scored.overall for scored in runs if scored.run.stage == BASELINE)
    return tuple(
        StageResult(
            name=scored.run.stage,
            summary=STAGES[scored.run.stage].summary,
            measures=scored.overall,
            delta=None if scored.run.stage == BASELINE else delta(scored.overall, baseline),
            abstention=AbstentionShares(**asdict(scored.abstention)),
            categories=scored.by_category,
        )
        for scored in runs
    )


def _query(evaluated: Evaluated, number: int) -> QueryResult:
    query = evaluated.queries[number]
    return QueryResult(
        id=query.id,
        query=query.text,
        category=query.category,
        source_class=query.source_class,
        gold=tuple(GoldPlace(**asdict(place)) for place in query.gold),
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
            RankedPlace(chunk_id=chunk.chunk_id, covers=new, **asdict(chunk.place))
            for chunk, new in zip(answer.chunks, covered, strict=True)
        ),
        probability=None if probability is None else round(probability, 6),
    )
