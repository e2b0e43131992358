"""Opens what a plan evaluates, one index after another."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import tempfile
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundkit_core.errors import RequestError
from groundkit_core.protocols import Notice, Progress
from groundkit_eval.judgments.anchoring import Texts, anchor, check_searchable
from groundkit_eval.judgments.beir import BeirFolder, file_names, write_documents
from groundkit_eval.judgments.jsonl import JudgmentFile, read_judgments
from groundkit_eval.judgments.leaks import LeakCheck, refuse_inside
from groundkit_eval.judgments.model import JudgedSet
from groundkit_eval.judgments.reading import is_beir, read_by_document
from groundkit_eval.plan import Plan
from groundkit_eval.preparing import check_usable, prepare, searched_with
from groundkit_eval.results import CorpusSummary
from groundkit_eval.setup import Setup
from groundkit_eval.stages import STAGES, stages_of
from groundkit_eval.state import RunState
from groundkit_eval.subjects import Facts, facts_of, system_of
from groundkit_eval.systems import System
from groundkit_eval.targets.collection import CollectionTexts, existing_collection
from groundkit_eval.targets.external import external_systems
from groundkit_eval.targets.folder import IndexChoice, Target, check_folder, indexed_folder
from groundkit_eval.targets.matrix import Combination, combinations


@dataclass(frozen=True, slots=True)
class Subject:
    """Systems that can be asked now, and what they are asked."""

    judged: JudgedSet
    systems: tuple[System, ...]
    facts: Facts


def subjects(
    plan: Plan,
    state: RunState | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> Generator[Subject, None, None]:
    """Yield what a plan evaluates; each is closed before the next is opened.

    Raises:
        GroundkitError: judgments, corpus, index or targets cannot be had.
    """
    judged = read_by_document(plan.judgments)
    if plan.indexes:
        yield from _folders(plan, judged, state, progress, notice)
    else:
        yield _others(plan, judged, notice)


def _folders(
    plan: Plan,
    by_document: JudgedSet | None,
    state: RunState | None,
    progress: Progress | None,
    notice: Notice | None,
) -> Iterator[Subject]:
    with contextlib.ExitStack() as opened:
        corpus, names = _corpus(plan, state, opened)
        file = None if by_document else _read_anchored(plan, corpus)
        judged = by_document or _anchored(file, corpus)
        found = combinations(plan.matrix, plan.index, plan.setup) if plan.matrix else []
        for setup in {id(c.setup): c.setup for c in found}.values() or (plan.setup,):
            check_usable(setup, notice)
        for number, (index, setup, group) in enumerate(_indexes(plan, found)):
            keep = state.folder / f"index-{number}" if state else None
            with indexed_folder(corpus, index, progress, keep) as plain:
                if file is not None and number == 0:
                    _refuse_leaks(plain, judged, file)
                target = prepare(replace(plain, names=names), setup, progress, notice)
                yield Subject(judged, tuple(_systems(target, group)), facts_of(target))


def _corpus(
    plan: Plan, state: RunState | None, opened: contextlib.ExitStack
) -> tuple[Path, dict[str, str]]:
    """Return the folder to index, and its file names of documents of a judged set."""
    if plan.corpus is not None:
        check_folder(plan.corpus)
        refuse_inside(plan.corpus, plan.judgments.path, "the judgments file")
        return plan.corpus, {}
    if not is_beir(plan.judgments.path):
        raise RequestError("name what is evaluated: --corpus, --collection, --target or --beir")
    if state:
        folder = state.folder / "documents"
    else:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="groundkit-eval-")))
    return folder, write_documents(BeirFolder(plan.judgments.path), folder)


def _read_anchored(plan: Plan, corpus: Path) -> JudgmentFile:
    refuse_inside(corpus, plan.judgments.path, "the judgments file")
    return read_judgments(plan.judgments.path)


def _anchored(file: JudgmentFile | None, texts: Path | Texts) -> JudgedSet:
    if file is None:
        raise RequestError("judgments that quote passages need --corpus DIR to find them in")
    return JudgedSet(file.name, file.sha256, "passage", anchor(file, texts))


def _indexes(
    plan: Plan, found: Sequence[Combination]
) -> Iterator[tuple[IndexChoice, Setup, list[Combination]]]:
    """Yield what is indexed and embedded how, and the combinations that search it."""
    if not found:
        yield plan.index, plan.setup, []
    for (index, _), group in itertools.groupby(found, lambda c: (c.index, c.setup.embedder)):
        combined = list(group)
        yield index, combined[0].setup, combined


def _systems(target: Target, group: Sequence[Combination]) -> Iterator[System]:
    if not group:
        yield from (system_of(stage, target) for stage in stages_of(target))
    for combination in group:
        searched = searched_with(target, combination.setup)
        stage = STAGES[combination.stage]
        yield system_of(stage, searched, combination.name, combination.settings)


def _refuse_leaks(target: Target, judged: JudgedSet, file: JudgmentFile) -> None:
    documents = target.documents
    check = LeakCheck(judged.queries, file.sha256)
    for source, text in target.texts():
        check.refuse(source, documents[source].sha256, text)
    classes = {source: document.source_class for source, document in documents.items()}
    check_searchable(judged.queries, file.name, classes, target.refused)


def _others(plan: Plan, by_document: JudgedSet | None, notice: Notice | None) -> Subject:
    """Return an existing collection and targets outside, beside each other."""
    names: dict[str, str] = {}
    if by_document is not None and is_beir(plan.judgments.path):
        names = file_names(BeirFolder(plan.judgments.path).documents())
    root = str(plan.corpus.resolve()) if plan.corpus else ""
    outside = external_systems(plan.targets, names, root)
    if plan.collection is not None:
        check_usable(plan.setup, notice)
        subject = _existing(plan, by_document, names)
        return replace(subject, systems=(*subject.systems, *outside))
    judged = by_document or _judged_in_folder(plan)
    return Subject(judged, tuple(outside), Facts({}, _judged_corpus(plan, judged, names)))


def _judged_in_folder(plan: Plan) -> JudgedSet:
    file = read_judgments(plan.judgments.path)
    if plan.corpus is None:
        return _anchored(None, Path())
    check_folder(plan.corpus)
    return _anchored(file, plan.corpus)


def _existing(plan: Plan, by_document: JudgedSet | None, names: dict[str, str]) -> Subject:
    from groundkit_eval.calibration.subject import refuse_indexed
    from groundkit_index import IndexReader

    index_dir, name = plan.collection or (Path(), "")
    target = replace(existing_collection(index_dir, name, plan.setup), names=names)
    judged = by_document
    if judged is None:
        file = read_judgments(plan.judgments.path)
        with IndexReader.open(index_dir, name) as reader:
            refuse_indexed(reader, plan.judgments.path)
            judged = _anchored(file, plan.corpus or CollectionTexts(reader))
        _refuse_leaks(target, judged, file)
    systems = tuple(system_of(stage, target) for stage in stages_of(target))
    return Subject(judged, systems, facts_of(target))


def _judged_corpus(plan: Plan, judged: JudgedSet, names: dict[str, str]) -> CorpusSummary:
    """Return what is known of a corpus that others have indexed: its judged documents."""
    gold = [place for query in judged.queries for passage in query.gold for place in passage.places]
    state = hashlib.sha256()
    for place in gold:
        state.update(f"{place.source}\0{place.start}\0{place.end}\0{place.text}\n".encode())
    return CorpusSummary(
        documents=len(names) or len({place.source for place in gold}),
        chunks=0,
        refused={},
        sha256=state.hexdigest(),
    )
