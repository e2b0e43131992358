"""Pools the top of several runs, so that a person judges what any of them found.

Pooling as TREC does it (Sparck Jones and van Rijsbergen 1975): the union of the first results of
every run, shown without telling which run found it or at which rank.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError
from groundkit_eval.errors import EvaluationError
from groundkit_eval.files import read_text
from groundkit_eval.judgments.anchoring import FolderTexts
from groundkit_eval.judgments.beir import BeirFolder
from groundkit_eval.judgments.jsonl import read_bytes
from groundkit_eval.judgments.model import Place, Unit
from groundkit_eval.judgments.qrels import read_queries
from groundkit_eval.report.load import load_result
from groundkit_eval.targets.kept import Kept, read_run


@dataclass(frozen=True, slots=True)
class Pooled:
    """A passage, or a document, that some run found for a query."""

    query_id: str
    query: str
    category: str
    place: Place

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What it is judged under."""
        return self.query_id, self.place.source, self.place.start, self.place.end


@dataclass(frozen=True, slots=True)
class Texts:
    """Where the texts of queries and passages are found.

    Attributes:
        corpus: folder of the documents.
        beir: folder of BEIR that holds documents and queries.
        queries: file of queries.
    """

    corpus: Path | None = None
    beir: Path | None = None
    queries: Path | None = None


def pool(paths: Sequence[Path], depth: int, texts: Texts) -> tuple[Unit, list[Pooled]]:
    """Return the unit of the runs, and their first results, each once, by query.

    Args:
        paths: run files of TREC, or results of `run --json`.
        depth: results of each run and query that are taken.
        texts: where texts are found.

    Raises:
        ResultError: a run cannot be read.
        EvaluationError: some runs tell passages and others documents, or a text is missing.
    """
    asked, runs = _asked(paths, texts), [kept for path in paths for kept in read_run(path).values()]
    found: dict[tuple[str, str, int, int], Pooled] = {}
    for kept in runs:
        for query_id, answer in kept.items():
            query, category = asked.get(query_id, (query_id, "pooled"))
            for chunk in answer.chunks[:depth]:
                pooled = Pooled(query_id, query, category, chunk.place)
                found.setdefault(pooled.key, pooled)
    unit = _unit(found.values())
    shown = _with_texts(list(found.values()), unit, texts)
    order = {query_id: number for number, query_id in enumerate(_ids(runs))}
    return unit, sorted(shown, key=lambda one: (order[one.query_id], _blind(one)))


def _ids(runs: Iterable[Kept]) -> list[str]:
    return list(dict.fromkeys(query_id for kept in runs for query_id in kept))


def _blind(pooled: Pooled) -> str:
    """Return what orders a pool so that no rank shows."""
    return hashlib.sha256("\0".join(map(str, pooled.key)).encode()).hexdigest()


def _asked(paths: Sequence[Path], texts: Texts) -> dict[str, tuple[str, str]]:
    """Return text and category of the queries."""
    asked: dict[str, tuple[str, str]] = {}
    for path in paths:
        if read_text(path).lstrip().startswith("{"):
            for query in load_result(path).queries:
                asked.setdefault(query.id, (query.query, query.category))
    file = texts.queries or (texts.beir and texts.beir / "queries.jsonl")
    if file:
        for query_id, text in read_queries(file.name, read_bytes(file)).items():
            asked[query_id] = text, asked.get(query_id, ("", "pooled"))[1]
    return asked


def _unit(found: Iterable[Pooled]) -> Unit:
    spans = {pooled.place.spans for pooled in found}
    if len(spans) > 1:
        raise EvaluationError(
            "some of the runs tell passages and others whole documents; pool them apart"
        )
    return "passage" if spans == {True} else "document"


def _with_texts(found: list[Pooled], unit: Unit, texts: Texts) -> list[Pooled]:
    if unit == "passage":
        if texts.corpus is None:
            raise EvaluationError("the runs tell passages; --corpus DIR says where they stand")
        return _passages(found, FolderTexts(texts.corpus))
    known = _documents(texts)
    return [_titled(one, known.get(one.place.source, "")) for one in found]


def _passages(found: list[Pooled], corpus: FolderTexts) -> list[Pooled]:
    read: dict[str, str] = {}
    for source in {one.place.source for one in found}:
        try:
            read[source] = corpus.read(source)
        except DocumentRefusedError as error:
            raise EvaluationError(
                f"source {source} of a run cannot be read ({error.reason}); check --corpus"
            ) from None
    return [_titled(one, read[one.place.source][one.place.start : one.place.end]) for one in found]


def _titled(one: Pooled, text: str) -> Pooled:
    place = Place(one.place.source, one.place.start, one.place.end, text)
    return Pooled(one.query_id, one.query, one.category, place)


def _documents(texts: Texts) -> Mapping[str, str]:
    if texts.beir is None:
        return {}
    return {
        document.id: f"{document.title}\n\n{document.text}".strip()
        for document in BeirFolder(texts.beir).documents()
    }
