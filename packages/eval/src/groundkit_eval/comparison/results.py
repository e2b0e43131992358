"""A comparison, as it is written to JSON."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from groundkit_core.contracts import Contract

SCHEMA: Literal["groundkit-eval-comparison/1"] = "groundkit-eval-comparison/1"


class Side(Contract):
    """One of the two results that are compared: what was asked of what."""

    judgments: str
    corpus: str
    documents: int
    chunks: int
    versions: dict[str, str]


class Method(Contract):
    """How the differences were tested.

    Attributes:
        permutations: sign patterns that are drawn where more queries differ than `exact`.
        exact: up to so many differing queries every pattern is counted.
        resamples: bootstrap resamples of the queries.
        level: of the intervals.
        alpha: a difference is significant when its corrected p-value is below.
        tests: comparisons the p-values are corrected for: those in which any query differs.
    """

    test: Literal["paired randomisation, two-sided"] = "paired randomisation, two-sided"
    permutations: int
    exact: int
    interval: Literal["bootstrap percentile, expanded"] = "bootstrap percentile, expanded"
    resamples: int
    level: float
    correction: Literal["Holm"] = "Holm"
    alpha: float
    tests: int
    seed: int


class Change(Contract):
    """A value before and after; the difference is None where either is."""

    before: float | None
    after: float | None
    delta: float | None


class MeasureChange(Contract):
    """The change of a measure, a mean over queries.

    Attributes:
        queries: those that both results have a value for.
        low: where the interval of the delta begins.
        high: where it ends.
        p_value: of the delta being chance.
        p_corrected: the same, corrected for all comparisons that were made together.
        verdict: `same` where it is not significant.
        wins: queries that became better; `losses`, worse; `ties`, neither.
    """

    queries: int
    before: float
    after: float
    delta: float
    low: float
    high: float
    p_value: float
    p_corrected: float
    verdict: Literal["gain", "loss", "same"]
    wins: int
    ties: int
    losses: int


class CategoryChange(Change):
    """The change of a measure in one category of queries."""

    queries: int


class ShownPassage(Contract):
    """A retrieved passage: the first code points of it, and whether it covers gold."""

    source: str
    heading: str
    excerpt: str
    relevant: bool


class ShownGold(Contract):
    """A gold passage: where it stands, and its first code points."""

    source: str
    excerpt: str


class QueryChange(Contract):
    """A query whose answer became better or worse, with the best passages of both."""

    id: str
    query: str
    category: str
    before: float
    after: float
    delta: float
    gold: tuple[ShownGold, ...]
    passages_before: tuple[ShownPassage, ...]
    passages_after: tuple[ShownPassage, ...]


class QueryDelta(Contract):
    """The measures in which a query differs."""

    id: str
    category: str
    deltas: dict[str, float]


class StageChange(Contract):
    """How a stage differs from the one it is compared with.

    Attributes:
        measures: measure -> change over all queries that have it.
        categories: category -> measure -> change.
        auroc: of the confidence gate.
        gains: the queries that became better by most, in the measure `by` of the comparison.
        losses: the queries that became worse by most.
        queries: all queries that differ in any measure.
    """

    stage: str
    against: str
    measures: dict[str, MeasureChange]
    categories: dict[str, dict[str, CategoryChange]]
    auroc: Change
    gains: tuple[QueryChange, ...]
    losses: tuple[QueryChange, ...]
    queries: tuple[QueryDelta, ...]


class LatencyChange(Contract):
    """The latency of a stage in milliseconds."""

    p50_ms: Change
    p95_ms: Change


class Comparison(Contract):
    """The differences between two results; without `timings`, equal inputs give equal bytes.

    Attributes:
        notes: what a reader must know, such as that the corpora differ.
        queries: those that were paired.
        left_out: those that only one of the results has, or that were asked in other words.
        by: the measure by which gains and losses are ordered.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    schema_name: Literal["groundkit-eval-comparison/1"] = Field(default=SCHEMA, alias="schema")
    before: Side
    after: Side
    notes: tuple[str, ...]
    queries: int
    left_out: int
    by: str
    method: Method
    stages: tuple[StageChange, ...]
    timings: dict[str, LatencyChange]

    def to_json(self) -> str:
        """Return the comparison as JSON, with a newline at the end."""
        return self.model_dump_json(by_alias=True, indent=1) + "\n"
