"""tantivy without anything around it: one field of the same tokens, one of projects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import tantivy
from scripts.scale.rows import Row

_BODY, _PROJECT, _KEY = "body", "project", "key"
_TOKENIZER = "whitespace-only"
_HEAP_BYTES = 64_000_000
_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should
_Query = tantivy.Query


def build(folder: Path, rows: Iterable[Row]) -> None:
    """Make an index of rows, as one commit of one thread with the heap that ours has."""
    folder.mkdir(parents=True)
    schema = tantivy.SchemaBuilder()
    schema.add_unsigned_field(_KEY, fast=True)
    schema.add_text_field(_BODY, tokenizer_name=_TOKENIZER, index_option="freq")
    schema.add_text_field(_PROJECT, tokenizer_name="raw", index_option="basic")
    index = tantivy.Index(schema.build(), path=str(folder))
    _register(index)
    writer = index.writer(_HEAP_BYTES, 1)
    for key, row in enumerate(rows, 1):
        document = tantivy.Document()
        document.add_unsigned(_KEY, key)
        document.add_text(_BODY, row.body)
        document.add_text(_PROJECT, row.project)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _register(index: tantivy.Index) -> None:
    whitespace = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_TOKENIZER, whitespace)


class BareIndex:
    """The index, open for searching."""

    def __init__(self, folder: Path) -> None:
        index = tantivy.Index.open(str(folder))
        _register(index)
        self._schema = index.schema
        self._searcher = index.searcher()

    @property
    def segments(self) -> int:
        """How many segments it has."""
        return int(self._searcher.num_segments)

    def search(self, tokens: Sequence[str], project: str | None, limit: int) -> list[int]:
        """The keys of the best chunks, best first: a plain union of terms, filtered by must."""
        body = [(_SHOULD, self._term(_BODY, token, "freq")) for token in tokens]
        query = _Query.boolean_query(body)
        if project is not None:
            only = _Query.const_score_query(self._term(_PROJECT, project, "basic"), 0.0)
            query = _Query.boolean_query([(_MUST, query), (_MUST, only)])
        hits = self._searcher.search(query, limit, count=False).hits
        keys = self._searcher.fast_field_values(_KEY, [address for _, address in hits])
        return [int(key) for key in keys if key is not None]

    def _term(self, field: str, value: str, option: str) -> tantivy.Query:
        return _Query.term_query(self._schema, field, value, index_option=option)
