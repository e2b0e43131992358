"""The result of an evaluation, as it is written to JSON."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from groundkit_core.contracts import Contract, FusionMethod, SourceClass, Verdict

SCHEMA: Literal["groundkit-eval/2"] = "groundkit-eval/2"
READABLE = ("groundkit-eval/1", SCHEMA)
"""Schemas that are read; the first holds neither passages nor the latency of each query."""

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
        unit: what gold is and ranks count: passages, or whole documents.
    """

    limit: int
    index: dict[str, str | int]
    versions: dict[str, str]
    baseline: str
    embedding: EmbeddingSummary | None = None
    fusion: FusionSummary | None = None
    reranker: RerankerSummary | None = None
    unit: Literal["passage", "document"] = "passage"


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


class ReliabilityBin(Contract):
    """Queries of like probability: how many, their mean probability, and the answerable share."""

    low: float
    high: float
    queries: int
    predicted: float
    observed: float


class ReliabilityCurve(Contract):
    """Whether the gate's probability is what it says.

    Attributes:
        bins: those that hold queries, in order.
        ece: the expected calibration error, best 0.
    """

    bins: tuple[ReliabilityBin, ...]
    ece: float


class AbstentionShares(Contract):
    """Shares of the unanswerable and of the answerable queries that were abstained from.

    Attributes:
        auroc: how well the gate's probability tells the two apart; None where it cannot be told.
        answered_at: false-answer rate -> the largest share of the answerable queries that a
            threshold answers while it keeps that rate.
        reliability: of the gate's probability; None where it was not asked.
    """

    unanswerable: float | None
    answerable: float | None
    auroc: float | None = None
    answered_at: dict[str, float] = Field(default_factory=dict)
    reliability: ReliabilityCurve | None = None


class CitationVerdicts(Contract):
    """What became of the citations of the hits: how many told it, and the share of each verdict."""

    hits: int
    shares: dict[Verdict, float]


class StageResult(Contract):
    """The measures of a stage over all answerable queries.

    Attributes:
        delta: difference to the baseline in each measure; None for the baseline itself.
        categories: the measures by category; a category without answerable queries has None.
        matched: by which rule how many hits were held against the gold.
        citations: None where the target says nothing of them.
        settings: what sets the stage apart, where a matrix or several targets were run.
    """

    name: str
    summary: str
    measures: Values
    delta: Values | None
    abstention: AbstentionShares
    categories: dict[str, Values]
    matched: dict[Literal["span", "text", "source"], int] = Field(default_factory=dict)
    citations: CitationVerdicts | None = None
    settings: dict[str, str | int | float] = Field(default_factory=dict)


class OtherPlace(Contract):
    """A place that answers as well as the gold passage it belongs to."""

    source: str
    start: int
    end: int


class GoldPlace(OtherPlace):
    """A gold passage: source and span of code points.

    Attributes:
        grade: how well it answers; 0 is judged and does not.
        alternatives: other places, any of which suffices.
        excerpt: the first code points of its text, on one line; empty where it is not known.
    """

    grade: int = 1
    alternatives: tuple[OtherPlace, ...] = ()
    excerpt: str = ""


class PassageText(Contract):
    """What is shown of a passage: its heading path, and the first code points on one line."""

    heading: str
    excerpt: str


class RankedPlace(Contract):
    """A retrieved chunk; its span is empty where the target tells none.

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

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return any(gold.grade for gold in self.gold)


class Latency(Contract):
    """Median and 95th percentile in milliseconds, and the latency of each query in their order."""

    p50_ms: float
    p95_ms: float
    queries_ms: tuple[float, ...] = ()


class Timings(Contract):
    """Everything that differs from run to run."""

    index_seconds: float
    scoring_seconds: float
    total_seconds: float
    stages: dict[str, Latency]


def _current(schema: object) -> object:
    return SCHEMA if schema in READABLE else schema


class EvaluationResult(Contract):
    """An evaluation; without `timings`, equal inputs give equal bytes.

    Attributes:
        passages: chunk id -> text of the best passages of every answer.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    schema_name: Annotated[Literal["groundkit-eval/2"], BeforeValidator(_current)] = Field(
        default=SCHEMA, alias="schema"
    )
    settings: EvaluationSettings
    corpus: CorpusSummary
    judgments: JudgmentsSummary
    stages: tuple[StageResult, ...]
    passages: dict[str, PassageText] = Field(default_factory=dict)
    queries: tuple[QueryResult, ...]
    timings: Timings

    def to_json(self) -> str:
        """Return the result as JSON with a newline at the end, the timings in one line, last."""
        apart = {"passages", "queries", "timings"}
        rest = self.model_dump_json(by_alias=True, indent=1, exclude=apart)
        passages = ",\n".join(
            f"{json.dumps(key, ensure_ascii=False)}:{text.model_dump_json()}"
            for key, text in self.passages.items()
        )
        queries = ",\n".join(query.model_dump_json() for query in self.queries)
        return (
            f'{rest.removesuffix("}").rstrip()},\n "passages": {{\n{passages}\n }},\n'
            f' "queries": [\n{queries}\n ],\n "timings": {self.timings.model_dump_json()}\n}}\n'
        )

    def to_frame(self, by: Literal["stages", "queries"] = "stages") -> Any:
        """Return a pandas data frame: a row for each stage, or for each query and stage.

        Raises:
            ResultError: pandas is missing; it comes with `groundkit-eval[notebook]`.
        """
        from groundkit_eval.report.notebook import to_frame

        return to_frame(self, by)

    def _repr_html_(self) -> str:
        """Return a small table for a notebook."""
        from groundkit_eval.report.notebook import to_table

        return to_table(self)
