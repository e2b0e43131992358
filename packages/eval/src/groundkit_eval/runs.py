"""What a stage answers to the judged queries, and how long it takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundkit_core.contracts import Verdict
from groundkit_core.protocols import Progress
from groundkit_eval.judgments.model import JudgedQuery, Place


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """One retrieved chunk.

    Attributes:
        place: where the chunk stands.
        folded: where the duplicates stand that were folded into it.
        verification: what the target says of its citation; None where it says nothing.
    """

    chunk_id: str
    place: Place
    folded: tuple[Place, ...] = ()
    verification: Verdict | None = None


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


class AnswerLog(Protocol):
    """Keeps answers while they are gathered, and gives those that were kept before."""

    def kept(self, query: JudgedQuery) -> tuple[Answer, float] | None:
        """Return the answer to a query and its milliseconds, when it was kept."""

    def keep(self, query: JudgedQuery, answer: Answer, milliseconds: float) -> None:
        """Keep an answer."""


def run_stage(
    stage: str,
    searcher: Searcher,
    queries: Sequence[JudgedQuery],
    limit: int,
    progress: Progress | None = None,
    log: AnswerLog | None = None,
) -> StageRun:
    """Ask every query, after one that warms the stage up and is not counted.

    What the log holds is not asked again. The confidence gate is asked afterwards, so that it
    takes no time of the search, and only when there are answerable and unanswerable queries to
    tell apart.
    """
    answers, latencies, warm = [], [], False
    for done, query in enumerate(queries, start=1):
        known = log.kept(query) if log else None
        if known is None:
            if not warm:
                searcher.search(query, limit)
                warm = True
            began = time.perf_counter()
            answer = searcher.search(query, limit)
            known = answer, (time.perf_counter() - began) * 1000
            if log:
                log.keep(query, *known)
        answers.append(known[0])
        latencies.append(known[1])
        if progress:
            progress(stage, done, len(queries))
    return StageRun(stage, tuple(answers), tuple(latencies), _probabilities(searcher, queries))


def _probabilities(searcher: Searcher, queries: Sequence[JudgedQuery]) -> tuple[float | None, ...]:
    if searcher.probability is None or len({query.answerable for query in queries}) == 1:
        return (None,) * len(queries)
    return tuple(searcher.probability(query) for query in queries)
