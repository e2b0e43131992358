"""Runs an evaluation from end to end."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.protocols import Notice, Progress
from groundkit_eval.assembly import Evaluated, assemble
from groundkit_eval.judgments.anchoring import anchor, check_searchable
from groundkit_eval.judgments.jsonl import JudgmentFile, read_judgments
from groundkit_eval.judgments.leaks import LeakCheck, refuse_inside
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.preparing import check_usable, prepare
from groundkit_eval.results import EvaluationResult
from groundkit_eval.runs import StageRun, run_stage
from groundkit_eval.scoring import score
from groundkit_eval.setup import Setup
from groundkit_eval.stages import Stage, stages_of
from groundkit_eval.targets import Target, check_folder, indexed_folder

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_retrieval.rerank import RerankerSettings
    from groundkit_retrieval.tuning import RankingChoice


def evaluate(
    corpus: str | Path,
    judgments: str | Path,
    *,
    limit: int = 10,
    language: str = "english",
    embedder: EmbedderSettings | None = None,
    ranking: RankingChoice | None = None,
    reranker: RerankerSettings | None = None,
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
        progress: called while it works.
        notice: told what a person should know, such as a download.

    Raises:
        JudgmentsError: the judgments do not fit the format or the corpus.
        LeakError: the corpus holds the judgments or the text of a query.
        SettingsError: the embedder, the ranking or the reranker cannot be had as it is set up.
        EmbeddingError: the embedder or the reranker lacks an extra, or cannot be reached.
        EvaluationError: a branch of a search or the reranker failed.
        GroundkitError: something cannot be read or indexed.
    """
    began = time.perf_counter()
    folder, path, setup = Path(corpus), Path(judgments), Setup(embedder, ranking, reranker)
    check_folder(folder)
    refuse_inside(folder, path, "the judgments file")
    file = read_judgments(path)
    queries = anchor(file, folder)
    check_usable(setup, notice)
    with indexed_folder(folder, language, progress) as plain:
        _check(plain, queries, file)
        target = prepare(plain, setup, progress, notice)
        indexed = time.perf_counter()
        runs = [_run(stage, target, queries, limit, progress) for stage in stages_of(setup)]
    answered = time.perf_counter()
    scored = [score(run, queries) for run in runs]
    done = time.perf_counter()
    return assemble(
        Evaluated(target, file, queries, scored, limit),
        index_seconds=indexed - began,
        scoring_seconds=done - answered,
        total_seconds=done - began,
    )


def _check(target: Target, queries: tuple[JudgedQuery, ...], file: JudgmentFile) -> None:
    documents = target.documents
    check = LeakCheck(queries, file.sha256)
    for source, text in _texts(target):
        check.refuse(source, documents[source].sha256, text)
    classes = {source: document.source_class for source, document in documents.items()}
    check_searchable(queries, file.name, classes, target.report)


def _texts(target: Target) -> Iterator[tuple[str, str]]:
    for source, chunks in itertools.groupby(target.chunks, key=lambda chunk: chunk.source):
        yield source, "".join(chunk.content for chunk in chunks)


def _run(
    stage: Stage,
    target: Target,
    queries: tuple[JudgedQuery, ...],
    limit: int,
    progress: Progress | None,
) -> StageRun:
    with stage.open(target) as searcher:
        return run_stage(stage.name, searcher, queries, limit, progress)
