"""Runs an evaluation from end to end."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

from groundkit_core.protocols import Progress
from groundkit_eval.assembly import Evaluated, assemble
from groundkit_eval.judgments.anchoring import anchor, check_searchable
from groundkit_eval.judgments.jsonl import JudgmentFile, read_judgments
from groundkit_eval.judgments.leaks import LeakCheck, refuse_inside
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.results import EvaluationResult
from groundkit_eval.runs import StageRun, run_stage
from groundkit_eval.scoring import score
from groundkit_eval.stages import STAGES
from groundkit_eval.targets import Target, check_folder, indexed_folder


def evaluate(
    corpus: str | Path,
    judgments: str | Path,
    *,
    limit: int = 10,
    language: str = "english",
    progress: Progress | None = None,
) -> EvaluationResult:
    """Index a folder into a temporary collection and ask every stage every judged query.

    Args:
        corpus: the folder of documents; nothing is written to it.
        judgments: the judged queries, as JSON Lines.
        limit: chunks asked for with each query, 10 to 20.
        language: language of the analyzer.
        progress: called while it works.

    Raises:
        JudgmentsError: the judgments do not fit the format or the corpus.
        LeakError: the corpus holds the judgments or the text of a query.
        GroundkitError: something cannot be read or indexed.
    """
    began = time.perf_counter()
    folder, path = Path(corpus), Path(judgments)
    check_folder(folder)
    refuse_inside(folder, path, "the judgments file")
    file = read_judgments(path)
    queries = anchor(file, folder)
    with indexed_folder(folder, language, progress) as target:
        _check(target, queries, file)
        indexed = time.perf_counter()
        runs = [_run(name, target, queries, limit, progress) for name in STAGES]
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
    name: str,
    target: Target,
    queries: tuple[JudgedQuery, ...],
    limit: int,
    progress: Progress | None,
) -> StageRun:
    with STAGES[name].open(target) as search:
        return run_stage(name, search, queries, limit, progress)
