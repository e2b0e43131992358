"""Checks judgments against their corpus, and says everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from groundkit_core.protocols import Progress
from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.anchoring import anchor_leniently, note_unsearchable
from groundkit_eval.judgments.beir import BeirFolder
from groundkit_eval.judgments.jsonl import JudgmentFile, read_judgments
from groundkit_eval.judgments.leaks import LeakCheck, copied, gives_away, refuse_inside
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.judgments.problems import Problems, one_line
from groundkit_eval.judgments.reading import JudgmentsChoice, is_beir, read_by_document
from groundkit_eval.targets.folder import IndexChoice, Target, check_folder, indexed_folder


@dataclass(frozen=True, slots=True)
class Checked:
    """How many queries were checked, and how many of them the corpus answers."""

    queries: int
    answerable: int


def check_judgments(
    choice: JudgmentsChoice, corpus: Path | None, progress: Progress | None = None
) -> Checked:
    """Check that every quote stands once in its source, and that nothing is leaked.

    A folder of BEIR is checked against its own documents. The corpus is indexed into a temporary
    collection, so that what is hidden, ignored or refused is left out as in an evaluation.

    Raises:
        JudgmentsError: lists everything that is wrong.
        LeakError: the judgments lie inside the corpus.
        EvaluationError: a file cannot be read, or there is no corpus to check against.
    """
    by_document = read_by_document(choice)
    if by_document is not None:
        if is_beir(choice.path):
            _check_documents(choice, by_document.queries)
        return _checked(by_document.queries)
    if corpus is None:
        raise EvaluationError("judgments that quote passages are checked with --corpus DIR")
    check_folder(corpus)
    refuse_inside(corpus, choice.path, "the judgments file")
    file = read_judgments(choice.path)
    queries = anchor_leniently(file, corpus)
    with indexed_folder(corpus, IndexChoice(), progress) as target:
        _note(file, queries, target)
    file.problems.raise_if_any()
    return _checked(queries)


def _checked(queries: Iterable[JudgedQuery]) -> Checked:
    asked = list(queries)
    return Checked(len(asked), sum(query.answerable for query in asked))


def _note(file: JudgmentFile, queries: tuple[JudgedQuery, ...], target: Target) -> None:
    classes = {source: found.source_class for source, found in target.documents.items()}
    note_unsearchable(file.problems, queries, classes, target.refused)
    check = LeakCheck(queries, file.sha256)
    for source, text in target.texts():
        if check.is_copy(target.documents[source].sha256):
            file.problems.add(1, copied(source))
            continue
        for query in check.held_by(source, text):
            file.problems.add(query.line, f"{one_line(source)} holds the text of the query")
    for query in queries:
        if any(gold.grade and gives_away(query.text, gold.text) for gold in query.gold):
            file.problems.add(query.line, "the query holds the quote that answers it")


def _check_documents(choice: JudgmentsChoice, queries: tuple[JudgedQuery, ...]) -> None:
    known = {document.id for document in BeirFolder(choice.path).documents()}
    problems = Problems("queries.jsonl")
    for query in queries:
        for gold in query.gold:
            if gold.source not in known:
                problems.add(query.line, f"document {gold.source} is not in corpus.jsonl")
    problems.raise_if_any()
