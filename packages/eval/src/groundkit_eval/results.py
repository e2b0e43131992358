"""The result of an evaluation, as it is written to JSON."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from groundkit_core.contracts import Contract, FusionMethod, SourceClass

SCHEMA: Literal["groundkit-eval/1"] = "groundkit-eval/1"

Values = dict[str, float | None]
"""Measure -> value between 0 and 1, rounded to six digits; None where no query counts."""


class EmbeddingSummary(Contract):
    """The embedder: what must agree for two vectors to be comparable."""

    provider: str
    model: str
    revision: str
    dimensions: int
    normalized: bool
    query_prefix: str
    document_prefix: str


class FusionSummary(Contract):
    """How the two rankings of a hybrid search were joined; `alpha` is None for `rrf`."""

    method: FusionMethod
    alpha: float | None


class RerankerSummary(Contract):
    """What looked at the best passages again; an empty model is the provider's own choice."""

    provider: str
    model: str


class EvaluationSettings(Contract):
    """What was set for the evaluation.

    Attributes:
        limit: chunks that were asked for with each query.
        index: what was fixed when the collection was made (analyzer, language, chunker).
        versions: versions of the distributions that took part.
        baseline: the stage that the others are compared with.
        embedding: the embedder; None when nothing was embedded.
        fusion: how the hybrid stages joined their branches; None without an embedder.
        reranker: None when nothing was reranked.
    """

    limit: int
    index: dict[str, str | int]
    versions: dict[str, str]
    baseline: str
    embedding: EmbeddingSummary | None = None
    fusion: FusionSummary | None = None
    reranker: RerankerSummary | None = None


class CorpusSummary(Contract):
    """What was indexed.

    Attributes:
        sha256: digest over the paths and contents of the documents.
        refused: files that could not be indexed, by path, with the reason.
    """

    documents: int
    chunks: int
    refused: dict[str, str]
    sha256: str


class JudgmentsSummary(Contract):
    """What was asked.

    Attributes:
        sha256: digest of the judgments file.
        categories: queries of each category.
    """

    queries: int
    answerable: int
    unanswerable: int
    categories: dict[str, int]
    sha256: str


class AbstentionShares(Contract):
    """Shares of the unanswerable and of the answerable queries that were abstained from.

    Attributes:
        auroc: how well the gate's probability tells the two apart; None where it cannot be told.
    """

    unanswerable: float | None
    answerable: float | None
    auroc: float | None = None


class StageResult(Contract):
    """The measures of a stage over all answerable queries.

    Attributes:
        delta: difference to the baseline in each measure; None for the baseline itself.
        categories: the measures by category; a category without answerable queries has None.
    """

    name: str
    summary: str
    measures: Values
    delta: Values | None
    abstention: AbstentionShares
    categories: dict[str, Values]


class GoldPlace(Contract):
    """A gold passage: source and span of code points."""

    source: str
    start: int
    end: int


class RankedPlace(Contract):
    """A retrieved chunk.

    Attributes:
        covers: the gold passages, counted from 0, that this chunk covers and no better one does.
    """

    chunk_id: str
    source: str
    start: int
    end: int
    covers: tuple[int, ...]


class QueryAnswer(Contract):
    """What a stage answered to a query.

    Attributes:
        first_relevant_rank: rank of the first chunk that covers a gold passage, from 1.
        measures: empty for an unanswerable query.
        probability: what the confidence gate says; None where it was not asked.
    """

    status: Literal["OK", "NO_RELEVANT_CONTEXT"]
    first_relevant_rank: int | None
    measures: dict[str, float]
    ranked: tuple[RankedPlace, ...]
    probability: float | None = None


class QueryResult(Contract):
    """A query and the answers to it by stage."""

    id: str
    query: str
    category: str
    source_class: SourceClass | Literal["all"]
    gold: tuple[GoldPlace, ...]
    stages: dict[str, QueryAnswer]


class Latency(Contract):
    """Median and 95th percentile in milliseconds."""

    p50_ms: float
    p95_ms: float


class Timings(Contract):
    """Everything that differs from run to run."""

    index_seconds: float
    scoring_seconds: float
    total_seconds: float
    stages: dict[str, Latency]


class EvaluationResult(Contract):
    """An evaluation; without `timings`, equal inputs give equal bytes."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    schema_name: Literal["groundkit-eval/1"] = Field(default=SCHEMA, alias="schema")
    settings: EvaluationSettings
    corpus: CorpusSummary
    judgments: JudgmentsSummary
    stages: tuple[StageResult, ...]
    queries: tuple[QueryResult, ...]
    timings: Timings

    def to_json(self) -> str:
        """Return the result as JSON, one query a line, with a newline at the end."""
        queries = ",\n".join(query.model_dump_json() for query in self.queries)
        rest = self.model_dump_json(by_alias=True, indent=1, exclude={"queries"})
        return f'{rest.removesuffix("}").rstrip()},\n "queries": [\n{queries}\n ]\n}}\n'
