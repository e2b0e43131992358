"""The statements that write rows by the thousand.

They go past sqlite-utils, which builds each statement anew.
"""

from __future__ import annotations

import json

from groundkit_index.catalog.checksums import row_checksum
from groundkit_index.prepared import PreparedChunk, PreparedDocument

CHECKSUM_FUNCTION = "groundkit_checksum"
DOCUMENT_FIELDS = (
    "document_id, root_key, source, kind, source_class, project, title, encoding, sha256,"
    " size, mtime_ns, ctime_ns, inode, chunks, labels, declared_class, extractor"
)
_MARKS = ",".join("?" * 18)
PUT_DOCUMENT = (
    f"insert into documents (doc_key, {DOCUMENT_FIELDS}) values ({_MARKS})"
    " on conflict (doc_key) do update set"
    " (root_key, source, kind, source_class, project, title, encoding, sha256, size, mtime_ns,"
    " ctime_ns, inode, chunks, labels, declared_class, extractor) ="
    " (excluded.root_key, excluded.source,"
    " excluded.kind, excluded.source_class, excluded.project, excluded.title, excluded.encoding,"
    " excluded.sha256, excluded.size, excluded.mtime_ns, excluded.ctime_ns, excluded.inode,"
    " excluded.chunks, excluded.labels, excluded.declared_class, excluded.extractor)"
)
SEAL_DOCUMENT = (
    f"update documents set checksum = {CHECKSUM_FUNCTION}(doc_key, {DOCUMENT_FIELDS})"
    " where doc_key = ?"
)
SEAL_ROOT = (
    f"update roots set checksum = {CHECKSUM_FUNCTION}(root_key, name, path) where root_key = ?"
)
INSERT_CHUNK = (
    "insert into chunks (chunk_key, chunk_id, doc_key, ordinal, start, end, start_line, end_line,"
    " headings, page, place, content, prefix, suffix, checksum)"
    " values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
UPDATE_CHUNK = (
    "update chunks set ordinal=?, start=?, end=?, start_line=?, end_line=?, headings=?, page=?,"
    " place=?, prefix=?, suffix=?, checksum=? where chunk_key=?"
)
PUT_TEXT = "insert or replace into texts (doc_key, text) values (?, ?)"
DELETE_TEXT = "delete from texts where doc_key = ?"
Value = str | int | None


def headings_text(chunk: PreparedChunk) -> str:
    """Return the heading path as the catalog stores it."""
    return json.dumps(chunk.heading_path, ensure_ascii=False)


def document_row(
    doc_key: int, document_id: str, root_key: int, document: PreparedDocument
) -> tuple[Value, ...]:
    """Return the values for `PUT_DOCUMENT`."""
    signature = document.signature
    return (
        doc_key,
        document_id,
        root_key,
        document.source,
        document.kind,
        document.source_class,
        document.project,
        document.title,
        document.encoding,
        document.sha256,
        signature.size,
        signature.mtime_ns,
        signature.ctime_ns,
        signature.inode,
        len(document.chunks),
        " ".join(sorted(document.declared.labels)),
        document.declared.source_class,
        document.extractor,
    )


def _place(chunk: PreparedChunk, headings: str) -> tuple[Value, ...]:
    return (
        chunk.start,
        chunk.end,
        chunk.start_line,
        chunk.end_line,
        headings,
        chunk.page,
        chunk.place,
    )


def chunk_row(
    chunk_key: int, chunk_id: str, doc_key: int, ordinal: int, chunk: PreparedChunk
) -> tuple[Value, ...]:
    """Return the values for `INSERT_CHUNK`."""
    place = _place(chunk, headings_text(chunk))
    texts = (chunk.content, chunk.prefix, chunk.suffix)
    checksum = row_checksum(chunk_key, chunk_id, doc_key, *place, *texts)
    return (chunk_key, chunk_id, doc_key, ordinal, *place, *texts, checksum)


def moved_chunk_row(
    chunk_key: int, chunk_id: str, doc_key: int, ordinal: int, chunk: PreparedChunk
) -> tuple[Value, ...]:
    """Return the values for `UPDATE_CHUNK`."""
    row = chunk_row(chunk_key, chunk_id, doc_key, ordinal, chunk)
    return (*row[3:11], *row[12:], chunk_key)
