"""Runs that were kept: run files of TREC, and results of `run --json`."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from groundkit_eval.errors import ResultError
from groundkit_eval.files import read_text
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.report.load import load_result
from groundkit_eval.results import EvaluationResult
from groundkit_eval.runs import Answer, RankedChunk, Searcher

_COLUMNS = 6
Kept = dict[str, Answer]
"""Query id -> answer; a query that is absent was answered with nothing."""


def read_run(path: Path) -> dict[str, Kept]:
    """Read a run file, or each stage of a result.

    Returns:
        name -> answers; the name is the tag of a run file or the name of a stage.

    Raises:
        ResultError: the file cannot be read, or is neither of both.
    """
    text = read_text(path)
    if text.lstrip().startswith("{"):
        result = load_result(path)
        return {stage.name: _answers(result, stage.name) for stage in result.stages}
    return _trec(path, text)


def _answers(result: EvaluationResult, stage: str) -> Kept:
    return {
        query.id: Answer(
            tuple(
                RankedChunk(hit.chunk_id, Place(hit.source, hit.start, hit.end))
                for hit in query.stages[stage].ranked
            ),
            abstained=query.stages[stage].status == "NO_RELEVANT_CONTEXT",
        )
        for query in result.queries
        if stage in query.stages
    }


def _trec(path: Path, text: str) -> dict[str, Kept]:
    """Read `query Q0 document rank score tag` lines; the score ranks, ties by document.

    trec_eval does the same, and pays no heed to the ranks that are told.
    """
    scored: dict[str, dict[str, float]] = defaultdict(dict)
    tag = ""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        columns = line.split()
        if not columns:
            continue
        try:
            query, _, document, _, score, *rest = columns
            told = float(score)
        except ValueError:
            raise _wrong(path, number, f"has not the {_COLUMNS} columns of a TREC run") from None
        if told != told or document in scored[query]:
            raise _wrong(path, number, f"names {document} again for {query}, or no score")
        scored[query][document] = told
        tag = tag or (rest[0] if rest else "")
    if not scored:
        raise ResultError(f"{one_line(path.name)} holds no run")
    return {tag or path.stem: {query: _ranked(found) for query, found in scored.items()}}


def _ranked(found: Mapping[str, float]) -> Answer:
    order = sorted(found.items(), key=lambda item: item[0], reverse=True)
    order.sort(key=lambda item: -item[1])
    chunks = tuple(RankedChunk(document, Place(document)) for document, _ in order)
    return Answer(chunks, abstained=False)


def _wrong(path: Path, line: int, what: str) -> ResultError:
    return ResultError(f"{one_line(path.name)}:{line}: {one_line(what)}")


@contextlib.contextmanager
def open_kept(kept: Kept) -> Iterator[Searcher]:
    """Give a search that answers as the run did; what was not answered is an abstention."""
    nothing = Answer((), abstained=True)

    def search(query: JudgedQuery, _limit: int) -> Answer:
        return kept.get(query.id, nothing)

    yield Searcher(search)
