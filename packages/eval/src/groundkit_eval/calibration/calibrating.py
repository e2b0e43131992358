"""Calibrates the confidence gate of an existing collection."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.contracts import Calibration, Mode, Tuning
from groundkit_core.errors import RequestError
from groundkit_core.protocols import Notice, Progress
from groundkit_eval.calibration.conformal import bound, least, threshold
from groundkit_eval.calibration.halves import halves
from groundkit_eval.calibration.intervals import clopper_pearson
from groundkit_eval.calibration.results import CalibrationResult, Halves, Share
from groundkit_eval.calibration.subject import mode_of, refuse_indexed
from groundkit_eval.errors import CalibrationError
from groundkit_eval.judgments.jsonl import JudgmentFile, read_judgments
from groundkit_eval.judgments.model import Judgment
from groundkit_eval.measures.auroc import auroc
from groundkit_eval.probabilities import probability

if TYPE_CHECKING:
    from groundkit_index.reader import IndexReader
    from groundkit_retrieval import Collection

_LEAST_OF_A_KIND = 2  # one to calibrate on and one to hold out


def calibrate(
    judgments: str | Path,
    *,
    max_false_answer_rate: float,
    collection: str = "default",
    index_dir: str | Path = ".groundkit",
    mode: Mode | None = None,
    dry_run: bool = False,
    wait: float = 60.0,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> CalibrationResult:
    """Choose the threshold of a collection's gate, and write it to the collection.

    Args:
        judgments: the judged queries, as JSON Lines; those without gold are the unanswerable ones.
        max_false_answer_rate: the share of unanswerable queries that may be answered.
        collection: the collection's name.
        index_dir: the folder that holds the collections.
        mode: the mode that is calibrated [hybrid where the collection has vectors, else lexical].
        dry_run: write nothing.
        wait: seconds to wait for another writer.
        progress: called while it works.
        notice: told what a person should know, such as a download.

    Raises:
        JudgmentsError: the judgments do not fit the format.
        CalibrationError: there are too few of them, or no threshold keeps the rate.
        LeakError: the judgments are a document of the collection.
        EvaluationError: a branch of a search failed.
        CollectionNotFoundError: there is no such collection.
        ModeUnavailableError: the collection cannot answer in that mode.
        RequestError: the rate is not between 0 and 1.
    """
    if not 0 < max_false_answer_rate < 1:
        raise RequestError("the false-answer rate must lie between 0 and 1, both excluded")
    path = Path(judgments)
    file = read_judgments(path)
    file.problems.raise_if_any()
    queries = _enough(file, max_false_answer_rate)
    with _opened(index_dir, collection, notice) as (reader, searched):
        refuse_indexed(reader, path)
        asked = mode_of(reader, mode)
        found = _probabilities(searched, asked, list(file.judgments.values()), progress)
    result = _result(file, queries, found, max_false_answer_rate, collection, asked, not dry_run)
    if not dry_run:
        _write(result, index_dir, wait, notice)
    return result


@dataclass(frozen=True, slots=True)
class _Queries:
    """The two kinds of judged queries."""

    answerable: list[Judgment]
    unanswerable: list[Judgment]


def _enough(file: JudgmentFile, rate: float) -> _Queries:
    """Return the queries by kind when there are enough of both."""
    queries = list(file.judgments.values())
    kinds = _Queries([q for q in queries if q.answerable], [q for q in queries if not q.answerable])
    needed = max(2 * least(rate) - 1, _LEAST_OF_A_KIND)
    if len(kinds.unanswerable) < needed:
        raise CalibrationError(
            f"a false-answer rate of {rate:g} needs at least {needed} unanswerable queries, of "
            f"which half are held out, and the judgments have {len(kinds.unanswerable)}; add "
            "some, or allow a higher rate"
        )
    if len(kinds.answerable) < _LEAST_OF_A_KIND:
        raise CalibrationError(
            f"at least {_LEAST_OF_A_KIND} answerable queries are needed to tell what a threshold "
            f"costs, and the judgments have {len(kinds.answerable)}; add some with their gold"
        )
    return kinds


@contextlib.contextmanager
def _opened(
    index_dir: str | Path, name: str, notice: Notice | None
) -> Iterator[tuple[IndexReader, Collection]]:
    from groundkit_index.reader import IndexReader
    from groundkit_retrieval import Collection

    reader = IndexReader.open(index_dir, name)
    with Collection(reader, notice=notice) as collection:
        yield reader, collection


def _probabilities(
    collection: Collection, mode: Mode, queries: Sequence[Judgment], progress: Progress | None
) -> dict[str, float]:
    """Return the gate's probability by query id."""
    found = {}
    for done, query in enumerate(queries, start=1):
        found[query.id] = probability(collection, query.query, mode, query.source_class)
        if progress:
            progress(mode, done, len(queries))
    return found


def _result(
    file: JudgmentFile,
    queries: _Queries,
    found: Mapping[str, float],
    rate: float,
    collection: str,
    mode: Mode,
    written: bool,
) -> CalibrationResult:
    chosen_on, _ = halves(query.id for query in queries.unanswerable)
    low = threshold([found[name] for name in chosen_on], rate)
    right, wrong = (
        [found[query.id] for query in kind] for kind in (queries.answerable, queries.unanswerable)
    )
    return CalibrationResult(
        collection=collection,
        mode=mode,
        threshold=low,
        max_false_answer_rate=rate,
        bound=round(bound(len(chosen_on), rate), 6),
        answerable=_sizes(queries.answerable),
        unanswerable=_sizes(queries.unanswerable),
        answered=_share(queries.answerable, found, low),
        false_answers=_share(queries.unanswerable, found, low),
        auroc=round(auroc(right, wrong), 6),
        judgments=file.sha256,
        written=written,
    )


def _write(
    result: CalibrationResult, index_dir: str | Path, wait: float, notice: Notice | None
) -> None:
    from groundkit_index.tuning import tune

    calibration = Calibration(
        threshold=result.threshold,
        max_false_answer_rate=result.max_false_answer_rate,
        unanswerable=result.unanswerable.calibration,
        judgments=result.judgments,
    )

    def change(tuning: Tuning) -> Tuning:
        calibrations = {**tuning.calibrations, result.mode: calibration}
        return tuning.model_copy(update={"calibrations": calibrations})

    tune(change, index_dir=index_dir, collection=result.collection, wait=wait, notice=notice)


def _sizes(queries: Sequence[Judgment]) -> Halves:
    calibration, held_out = halves(query.id for query in queries)
    return Halves(calibration=len(calibration), held_out=len(held_out))


def _share(queries: Sequence[Judgment], found: Mapping[str, float], low: float) -> Share:
    """Return the share of the held-out queries that are answered."""
    _, held_out = halves(query.id for query in queries)
    count, of = sum(found[name] >= low for name in held_out), len(held_out)
    begin, end = clopper_pearson(count, of)
    return Share(
        count=count, of=of, share=round(count / of, 6), low=round(begin, 6), high=round(end, 6)
    )
