"""Feeds the lexical index."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import tantivy

from groundkit_core.analysis import Analyzer
from groundkit_index.lexical import schema
from groundkit_index.lexical.entry import LexicalEntry

_HEAP_BYTES = 64_000_000
_SAME_TEXTS = 64


class LexicalWriter:
    """The lexical index, open for the one writer.

    Args:
        folder: where it lives; made when absent.
        analyzer: the analyzer that the collection was made with.

    Attributes:
        fresh: true when the index was made anew and must be filled from the catalog.
    """

    def __init__(self, folder: Path, analyzer: Analyzer) -> None:
        # Neighbouring chunks share their path, and often their headings.
        self._joined = lru_cache(_SAME_TEXTS)(analyzer.joined)
        self.fresh = False
        index = _open(folder)
        if index is None:
            self.fresh = True
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            index = tantivy.Index(schema.build_schema(), path=str(folder))
        schema.register_tokenizer(index)
        self._index = index
        self._writer = index.writer(_HEAP_BYTES, 1)

    def delete(self, keys: Sequence[int]) -> None:
        """Remove chunks by key; unknown keys are no error."""
        if keys and not self.fresh:
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
        self._writer.commit()

    def close(self) -> None:
        """Finish merges and free the index."""
        self._writer.wait_merging_threads()


def _open(folder: Path) -> tantivy.Index | None:
    """Open the index, or return None when it is absent or not ours to read."""
    try:
        if not tantivy.Index.exists(str(folder)):
            return None
        return tantivy.Index.open(str(folder))
    except (ValueError, OSError):
        return None
