"""A chunk as the lexical index takes it."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.analysis import Analyzer
from groundkit_core.contracts import SourceClass
from groundkit_index.catalog.records import ChunkRecord


@dataclass(frozen=True, slots=True)
class LexicalEntry:
    """The terms of a chunk.

    Attributes:
        tokens: the analyzer's tokens of the content, between spaces.
        headings: title and headings, one a line, not analysed yet.
    """

    chunk_key: int
    doc_key: int
    tokens: str
    headings: str
    source: str
    source_class: SourceClass
    project: str


def entry_of(record: ChunkRecord, analyzer: Analyzer) -> LexicalEntry:
    """Return the entry of a chunk that the catalog holds."""
    return LexicalEntry(
        chunk_key=record.chunk_key,
        doc_key=record.doc_key,
        tokens=analyzer.joined(record.content),
        headings="\n".join((record.title, *record.heading_path)),
        source=record.source,
        source_class=record.source_class,
        project=record.project,
    )
