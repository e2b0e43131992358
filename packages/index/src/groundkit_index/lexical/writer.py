"""Feeds the lexical index."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import tantivy

from groundkit_core.analysis import Analyzer
from groundkit_index.lexical import schema
from groundkit_index.lexical.engine import engine_errors, open_index
from groundkit_index.lexical.entry import LexicalEntry

_HEAP_BYTES, _LEAST_HEAP_BYTES = 64_000_000, 15_000_000
_SAME_TEXTS = 64


def create_lexical(folder: Path) -> None:
    """Make an empty index; what is at its place is removed first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    index = tantivy.Index(schema.build_schema(), path=str(folder))
    schema.register_tokenizer(index)
    # The first writer leaves the lock files that readers need to find.
    index.writer(_LEAST_HEAP_BYTES, 1).wait_merging_threads()


class LexicalWriter:
    """The lexical index, open for the one writer.

    Args:
        folder: where it lives; made by `create_lexical`.
        analyzer: the analyzer that the collection was made with.

    Raises:
        CorruptIndexError: there is no index of ours.
    """

    def __init__(self, folder: Path, analyzer: Analyzer) -> None:
        # Neighbouring chunks share their path, and often their headings.
        self._joined = lru_cache(_SAME_TEXTS)(analyzer.joined)
        self._index = open_index(folder)
        with engine_errors():
            self._empty = self._index.searcher().num_docs == 0
            self._writer = self._index.writer(_HEAP_BYTES, 1)
            # What a killed writer left behind stands in the way of files of the same name.
            self._writer.garbage_collect_files()

    def delete(self, keys: Sequence[int]) -> None:
        """Remove chunks by key; unknown keys are no error."""
        if keys and not self._empty:
            # A term delete with a Python int silently matches nothing; a query delete does.
            query = tantivy.Query.term_set_query(self._index.schema, schema.KEY, list(keys))
            self._writer.delete_documents_by_query(query)

    def add(self, entries: Iterable[LexicalEntry]) -> None:
        """Add chunks; the caller deletes older versions of them first."""
        for entry in entries:
            document = tantivy.Document()
            document.add_unsigned(schema.KEY, entry.chunk_key)
            document.add_unsigned(schema.DOCUMENT, entry.doc_key)
            document.add_text(schema.BODY, entry.tokens)
            document.add_text(schema.HEADINGS, self._joined(entry.headings))
            document.add_text(schema.PATH, self._joined(entry.source))
            document.add_text(schema.SOURCE_CLASS, entry.source_class)
            document.add_text(schema.PROJECT, entry.project)
            self._writer.add_document(document)

    def commit(self) -> None:
        """Make what was added and deleted durable and visible."""
        with engine_errors():
            self._writer.commit()
        self._empty = False

    def close(self) -> None:
        """Finish merges and free the index."""
        with engine_errors():
            self._writer.wait_merging_threads()

    def abandon(self) -> None:
        """Free the index without finishing anything."""
        del self._writer, self._index
