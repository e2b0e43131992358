"""Runs an evaluation from end to end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.protocols import Notice, Progress
from groundkit_eval.assembly import Evaluated, assemble
from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import JudgedSet
from groundkit_eval.judgments.reading import JudgmentsChoice
from groundkit_eval.measures.selection import select
from groundkit_eval.opening import Subject, subjects
from groundkit_eval.plan import Plan
from groundkit_eval.results import EvaluationResult
from groundkit_eval.runs import StageRun, run_stage
from groundkit_eval.scoring import score
from groundkit_eval.setup import Setup
from groundkit_eval.state import RunState
from groundkit_eval.subjects import Facts
from groundkit_eval.systems import System
from groundkit_eval.targets.folder import IndexChoice

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_retrieval.rerank import RerankerSettings
    from groundkit_retrieval.tuning import RankingChoice

_DISTRIBUTIONS = ("groundkit-index", "groundkit-retrieval", "groundkit-eval")


def evaluate(
    corpus: str | Path,
    judgments: str | Path,
    *,
    limit: int = 10,
    language: str = "english",
    embedder: EmbedderSettings | None = None,
    ranking: RankingChoice | None = None,
    reranker: RerankerSettings | None = None,
    matrix: Sequence[str] = (),
    measures: str = "",
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> EvaluationResult:
    """Index a folder into a temporary collection and ask every stage every judged query.

    Args:
        corpus: the folder of documents; nothing is written to it.
        judgments: the judged queries, as JSON Lines.
        limit: chunks asked for with each query, 10 to 20.
        language: language of the analyzer.
        embedder: embeds the collection, and adds the stages `dense` and `hybrid`.
        ranking: how the hybrid stages join their branches [weighted, alpha by the embedder].
        reranker: adds `hybrid+rerank`, or `lexical+rerank` without an embedder.
        matrix: `key=value,value` each; every combination is a stage in place of the usual ones.
        measures: more measures, such as `AP,P@5,IoU@5`.
        progress: called while it works.
        notice: told what a person should know, such as a download.

    Raises:
        JudgmentsError: the judgments do not fit the format or the corpus.
        LeakError: the corpus holds the judgments or the text of a query.
        RequestError: the limit, the measures and the matrix do not fit together.
        SettingsError: the embedder, the ranking or the reranker cannot be had as it is set up.
        EmbeddingError: the embedder or the reranker lacks an extra, or cannot be reached.
        EvaluationError: a branch of a search or the reranker failed.
        GroundkitError: something cannot be read or indexed.
    """
    plan = Plan(
        judgments=JudgmentsChoice(Path(judgments)),
        corpus=Path(corpus),
        limit=limit,
        index=IndexChoice(language),
        setup=Setup(embedder, ranking, reranker),
        matrix=tuple(matrix),
        selection=select(measures),
    )
    return evaluate_plan(plan, progress=progress, notice=notice)


@dataclass(slots=True)
class _Gathered:
    """What was found out so far, system by system."""

    systems: list[System]
    runs: list[StageRun]
    facts: Facts | None = None
    judged: JudgedSet | None = None
    preparing: float = 0.0


def evaluate_plan(
    plan: Plan, *, progress: Progress | None = None, notice: Notice | None = None
) -> EvaluationResult:
    """Ask every system of a plan every judged query, and score the answers.

    Args:
        plan: what is evaluated.
        progress: called while it works.
        notice: told what a person should know.

    Raises:
        GroundkitError: as `evaluate` does; EvaluationError, too, when a target fails or an input
            of a resumed run has changed.
    """
    began = time.perf_counter()
    state = RunState(plan.resume) if plan.resume else None
    if state:
        state.check("the limit or the setup", [plan.limit, repr(plan.setup), plan.matrix])
    gathered = _Gathered([], [])
    with contextlib.closing(subjects(plan, state, progress, notice)) as opened:
        _gather(gathered, opened, plan, state, progress)
    answered = time.perf_counter()
    facts, judged = gathered.facts, gathered.judged
    if facts is None or judged is None:
        raise EvaluationError("nothing was evaluated; name a corpus, a collection or a target")
    scored = [score(run, judged.queries, judged.unit, plan.selection) for run in gathered.runs]
    done = time.perf_counter()
    return assemble(
        Evaluated(facts, judged, gathered.systems, scored, plan.limit),
        index_seconds=gathered.preparing,
        scoring_seconds=done - answered,
        total_seconds=done - began,
    )


def _gather(
    gathered: _Gathered,
    opened: Iterable[Subject],
    plan: Plan,
    state: RunState | None,
    progress: Progress | None,
) -> None:
    before = time.perf_counter()
    for subject in opened:
        gathered.preparing += time.perf_counter() - before
        gathered.judged = subject.judged
        gathered.facts = _joined(gathered.facts, subject.facts)
        if state:
            _check_unchanged(state, subject, len(gathered.systems))
        for system in subject.systems:
            gathered.systems.append(system)
            gathered.runs.append(_run(system, subject.judged, plan.limit, state, progress))
        before = time.perf_counter()


def _joined(first: Facts | None, other: Facts) -> Facts:
    """Return the facts of the first index, with the embedder of the first that has one."""
    if first is None:
        return other
    chunks = {chunk.chunk_id: chunk for chunk in (*other.chunks, *first.chunks)}
    return replace(
        first,
        chunks=tuple(chunks.values()),
        embedding=first.embedding or other.embedding,
        fusion=first.fusion or other.fusion,
    )


def _check_unchanged(state: RunState, subject: Subject, number: int) -> None:
    facts = subject.facts
    state.check("the judgments", subject.judged.sha256)
    state.check("the version", {name: version(name) for name in _DISTRIBUTIONS})
    state.check(f"the corpus or its index ({number})", [facts.corpus.sha256, facts.index])
    for system in subject.systems:
        state.check(f"the target {system.name}", [system.settings, system.inputs])


def _run(
    system: System,
    judged: JudgedSet,
    limit: int,
    state: RunState | None,
    progress: Progress | None,
) -> StageRun:
    with contextlib.ExitStack() as opened:
        log = opened.enter_context(state.answers(system.name)) if state else None
        searcher = opened.enter_context(system.open())
        return run_stage(system.name, searcher, judged.queries, limit, progress, log)
