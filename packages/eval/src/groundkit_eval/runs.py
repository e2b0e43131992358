"""What a stage answers to the judged queries, and how long it takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundkit_core.protocols import Progress
from groundkit_eval.judgments.model import JudgedQuery, Place


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """One retrieved chunk.

    Attributes:
        place: where the chunk stands.
        folded: where the duplicates stand that were folded into it.
    """

    chunk_id: str
    place: Place
    folded: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a stage says to one query.

    Attributes:
        chunks: the retrieved chunks, best first.
        abstained: whether the stage said that nothing is relevant.
    """

    chunks: tuple[RankedChunk, ...]
    abstained: bool


SearchFunction = Callable[[JudgedQuery, int], Answer]
"""Answers a query with at most so many chunks."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """How a stage is asked.

    Attributes:
        search: answers a query.
        probability: what its confidence gate says of a query; None where it has no gate.
    """

    search: SearchFunction
    probability: Callable[[JudgedQuery], float] | None = None


@dataclass(frozen=True, slots=True)
class StageRun:
    """The answers of a stage.

    Attributes:
        answers: one for each query, in their order.
        latencies_ms: milliseconds that each took.
        probabilities: what the confidence gate said of each; None where it was not asked.
    """

    stage: str
    answers: tuple[Answer, ...]
    latencies_ms: tuple[float, ...]
    probabilities: tuple[float | None, ...]


def run_stage(
    stage: str,
    searcher: Searcher,
    queries: Sequence[JudgedQuery],
    limit: int,
    progress: Progress | None = None,
) -> StageRun:
    """Ask every query, after one that warms the stage up and is not counted.

    The confidence gate is asked afterwards, so that it takes no time of the search, and only when
    there are answerable and unanswerable queries to tell apart.
    """
    answers, latencies = [], []
    searcher.search(queries[0], limit)
    for done, query in enumerate(queries, start=1):
        began = time.perf_counter()
        answers.append(searcher.search(query, limit))
        latencies.append((time.perf_counter() - began) * 1000)
        if progress:
            progress(stage, done, len(queries))
    return StageRun(stage, tuple(answers), tuple(latencies), _probabilities(searcher, queries))


def _probabilities(searcher: Searcher, queries: Sequence[JudgedQuery]) -> tuple[float | None, ...]:
    if searcher.probability is None or len({query.answerable for query in queries}) == 1:
        return (None,) * len(queries)
    return tuple(searcher.probability(query) for query in queries)
