"""Asks queries that are answered and queries that are not, and measures the gate's signals.

topic: a query of another set, about something that the collection says nothing of.
paragraph: half of the documents are held out, and all that answer the query are among them.
adversarial: the unanswerable questions of SQuAD 2.0, written to look answerable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Literal

from evals.public.indexing import Indexed
from evals.public.sets import JudgedSet, is_test
from groundkit_core.filters import DocumentFilter
from groundkit_index.reader import IndexReader
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.confidence import Signals, measure
from groundkit_retrieval.query_embedding import QueryEmbedder

Kind = Literal["answered", "topic", "paragraph", "adversarial"]
_DEPTH = 120
_STRANGERS = 300
_EVERYTHING = DocumentFilter.of("all", None)


@dataclass(frozen=True, slots=True)
class Probe:
    """One query, asked of one collection.

    Attributes:
        held_out: whether half of the documents were held out.
        signals: mode -> what the rankings look like.
        test: whether the query is kept for testing.
    """

    collection: str
    kind: Kind
    held_out: bool
    signals: dict[str, Signals]
    test: bool


def probes(sets: Mapping[str, Indexed], embedder: QueryEmbedder) -> Iterator[Probe]:
    """Yield the probes of every collection."""
    for name, indexed in sets.items():
        with IndexReader.open(indexed.index_dir, name) as reader:
            documents = {chunk.chunk_key: indexed.names[chunk.source] for chunk in reader.chunks()}
            for other in sets.values():
                for query in _asked(other.judged, stranger=other.judged.name != name):
                    ask = partial(_ask, name, query, other.judged, documents, embedder)
                    yield from reader.read(ask)
        print(f"{name}: probed", flush=True)


def _asked(judged: JudgedSet, *, stranger: bool) -> list[str]:
    if not stranger:
        return list(judged.queries)
    return sorted(judged.answerable, key=lambda query: sha256(query.encode()).digest())[:_STRANGERS]


def _ask(
    collection: str,
    query: str,
    asked: JudgedSet,
    documents: dict[int, str],
    embedder: QueryEmbedder,
    snapshot: Snapshot,
) -> list[Probe]:
    rankings = _Rankings(snapshot, asked.queries[query], embedder, documents)
    return list(rankings.probes(collection, query, asked))


class _Rankings:
    """The rankings of a query, deep enough to take half of the documents out."""

    def __init__(
        self, snapshot: Snapshot, text: str, embedder: QueryEmbedder, documents: dict[int, str]
    ) -> None:
        self._snapshot = snapshot
        self._documents = documents
        self._tokens = snapshot.analyzer.query_tokens(text)
        self._lexical = snapshot.lexical(self._tokens, _EVERYTHING, _DEPTH)
        self._dense: list[tuple[int, float]] = []
        if snapshot.binding is not None:
            vector = embedder.embed(text, snapshot.binding)
            self._dense = snapshot.dense(vector, _EVERYTHING, _DEPTH)

    def probes(self, collection: str, query: str, asked: JudgedSet) -> Iterator[Probe]:
        test = is_test(query)
        if asked.name != collection:
            yield Probe(collection, "topic", False, self._signals(frozenset()), test)
        elif query not in asked.qrels:
            yield Probe(collection, "adversarial", False, self._signals(frozenset()), test)
        else:
            yield Probe(collection, "answered", False, self._signals(frozenset()), test)
            gold, missing = frozenset(asked.qrels[query]), _half(query, "gold")
            out = frozenset(d for d in asked.documents if _half(d, "held out")) - gold
            kind: Kind = "paragraph" if missing else "answered"
            yield Probe(collection, kind, True, self._signals(out | gold if missing else out), test)

    def _signals(self, held_out: frozenset[str]) -> dict[str, Signals]:
        lexical, dense = (
            [hit for hit in ranking if self._documents[hit[0]] not in held_out]
            for ranking in (self._lexical, self._dense)
        )
        return {
            "lexical": measure(self._tokens, lexical, (), self._snapshot),
            "dense": measure((), (), dense, self._snapshot),
            "hybrid": measure(self._tokens, lexical, dense, self._snapshot),
        }


def _half(name: str, salt: str) -> bool:
    return sha256(f"{salt} {name}".encode()).digest()[0] % 2 == 1
