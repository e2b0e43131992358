"""Ranks chunks by BM25 over body, headings and path."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar
from weakref import WeakKeyDictionary

import tantivy

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter, DocumentSet
from groundkit_index.lexical import schema
from groundkit_index.lexical.engine import ReadableFolder, engine_errors, open_index

BOOSTS = {schema.BODY: 1.0, schema.HEADINGS: 0.3, schema.PATH: 0.2}
_T = TypeVar("_T")
_RELOADS, _PAUSE_SECONDS = 5, 0.02
_TIES, _MOST_TIES = 8, 4_096
_MUST, _MUST_NOT, _SHOULD = tantivy.Occur.Must, tantivy.Occur.MustNot, tantivy.Occur.Should
Query = tantivy.Query
_Part = tuple[tantivy.Occur, tantivy.Query]
_CONDITIONS: WeakKeyDictionary[DocumentSet, _Part] = WeakKeyDictionary()
"""Conditions on sets of documents, which are long to build and asked for again and again."""


class LexicalIndex:
    """The lexical index, open for reading; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = ReadableFolder(folder)
        try:
            self._index = self._patiently(lambda: open_index(self._folder.path))
            with engine_errors():
                self._index.config_reader("manual")
            self.reload()
        except BaseException:
            self._folder.close()
            raise

    def reload(self) -> None:
        """Take up what was committed since."""
        self._patiently(self._index.reload)

    def _patiently(self, work: Callable[[], _T]) -> _T:
        """Try again when a writer dropped a file between its being listed and being read."""
        for _ in range(_RELOADS):
            self._folder.refresh()
            with contextlib.suppress(CorruptIndexError), engine_errors():
                return work()
            time.sleep(_PAUSE_SECONDS)
        self._folder.refresh()
        with engine_errors():
            return work()

    def searcher(self) -> LexicalSearcher:
        """Return a view of the index as it is now."""
        with engine_errors():
            return LexicalSearcher(self._index.searcher(), self._index.schema)

    def close(self) -> None:
        """Free what was made to read the index."""
        self._folder.close()


class LexicalSearcher:
    """One state of the lexical index."""

    def __init__(self, searcher: tantivy.Searcher, fields: tantivy.Schema) -> None:
        self._searcher = searcher
        self._schema = fields

    def search(
        self, tokens: Sequence[str], where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, score) of the best chunks, best first, ties by key.

        The score is the sum over fields of boost times BM25 (Robertson and Zaragoza 2009,
        k1 = 1.2, b = 0.75).
        """
        with engine_errors():
            ranking = self._ranking(tokens)
            if not ranking:
                return []
            found = self._best(self._query(ranking, where), offset + limit)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[offset : offset + limit]

    def idf(self, tokens: Iterable[str]) -> dict[str, float]:
        """Return each token's inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)).

        N is the number of chunks; n, of those with the token in the field that has it most.
        """
        held = self._searcher.num_docs
        with engine_errors():
            found = {
                token: max(self._searcher.doc_freq(field, token) for field in schema.TEXT_FIELDS)
                for token in dict.fromkeys(tokens)
            }
        return {token: _idf(held, holding) for token, holding in found.items()}

    def highest_idf(self) -> float:
        """Return the inverse document frequency of a token that no chunk has."""
        return _idf(self._searcher.num_docs, 0)

    def coverage(self, keys: Sequence[int], idf: Mapping[str, float]) -> float:
        """Return the largest sum of idf of the tokens that one of these chunks holds."""
        with engine_errors():
            among = Query.boolean_query([(_SHOULD, self._flag(schema.KEY, key)) for key in keys])
            tokens = [(_SHOULD, self._holding(token, weight)) for token, weight in idf.items()]
            if not keys or not tokens:
                return 0.0
            query = Query.boolean_query([(_MUST, Query.const_score_query(among, 0.0)), *tokens])
            hits = self._searcher.search(query, 1, count=False).hits
        return float(hits[0][0]) if hits else 0.0

    def _holding(self, token: str, weight: float) -> tantivy.Query:
        fields = [
            (_SHOULD, Query.term_query(self._schema, f, token, index_option=schema.BASIC))
            for f in schema.TEXT_FIELDS
        ]
        return Query.const_score_query(Query.boolean_query(fields), weight)

    def _best(self, query: tantivy.Query, wanted: int) -> list[tuple[int, float]]:
        """Return at least the `wanted` best hits, and all that tie with the last of them."""
        size = wanted + _TIES
        while True:
            hits = self._searcher.search(query, size, count=False).hits
            if len(hits) < size or hits[-1][0] < hits[wanted - 1][0] or size > _MOST_TIES + wanted:
                break
            size *= 4
        keys = self._searcher.fast_field_values(schema.KEY, [address for _, address in hits])
        return [(int(key), float(score)) for key, (score, _) in zip(keys, hits, strict=True) if key]

    def _query(self, ranking: list[_Part], where: DocumentFilter) -> tantivy.Query:
        """Join terms and conditions; a flat union lets the engine pass over what cannot win."""
        conditions = self._conditions(where)
        if all(occur == _MUST_NOT for occur, _ in conditions):
            return Query.boolean_query([*ranking, *conditions])
        return Query.boolean_query([(_MUST, Query.boolean_query(ranking)), *conditions])

    def _ranking(self, tokens: Iterable[str]) -> list[_Part]:
        named = [(field, token) for token in dict.fromkeys(tokens) for field in schema.TEXT_FIELDS]
        held = [(field, token) for field, token in named if self._searcher.doc_freq(field, token)]
        # Words that stand nowhere are searched for, too: time must not tell them from hidden ones.
        return [(_SHOULD, self._term(field, token)) for field, token in held or named]

    def _term(self, field: str, token: str) -> tantivy.Query:
        query = Query.term_query(self._schema, field, token, index_option=schema.FREQ)
        boost = BOOSTS[field]
        return query if boost == 1.0 else Query.boost_query(query, boost)

    def _conditions(self, where: DocumentFilter) -> list[_Part]:
        if where.among is not None:
            return [self._among(where.among)]
        conditions = self._class_conditions(where)
        if where.only is not None:
            only = Query.term_set_query(self._schema, schema.PROJECT, sorted(where.only))
            conditions.append((_MUST, Query.const_score_query(only, 0.0)))
        return conditions

    def _among(self, documents: DocumentSet) -> _Part:
        """Name the fewer documents: those that are searched, or the others."""
        found = _CONDITIONS.get(documents)
        if found is None:
            left_out = len(documents.others) < len(documents.keys)
            keys = sorted(documents.others if left_out else documents.keys)
            named = Query.term_set_query(self._schema, schema.DOCUMENT, keys)
            found = (_MUST_NOT, named) if left_out else (_MUST, Query.const_score_query(named, 0.0))
            _CONDITIONS[documents] = found
        return found

    def _class_conditions(self, where: DocumentFilter) -> list[_Part]:
        """Name the fewer chunks: those that are left out, or those that are searched."""
        left_out = [name for name in SOURCE_CLASSES if name not in where.classes]
        held = {name: self._searcher.doc_freq(schema.SOURCE_CLASS, name) for name in left_out}
        if 2 * sum(held.values()) < self._searcher.num_docs:
            return [
                (_MUST_NOT, self._flag(schema.SOURCE_CLASS, name))
                for name, count in held.items()
                if count
            ]
        wanted = Query.term_set_query(self._schema, schema.SOURCE_CLASS, sorted(where.classes))
        return [(_MUST, Query.const_score_query(wanted, 0.0))]

    def _flag(self, field: str, value: str | int) -> tantivy.Query:
        return Query.term_query(self._schema, field, value, index_option=schema.BASIC)


def _idf(held: int, holding: int) -> float:
    return math.log1p((max(held - holding, 0) + 0.5) / (holding + 0.5))
