"""Checks of the catalog, which is the truth and is never mended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from groundkit_core.errors import StorageError
from groundkit_core.identity import chunk_ids
from groundkit_index.catalog import queries
from groundkit_index.catalog.checksums import DocumentTally
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.catalog.schema import LEXICAL, VECTORS
from groundkit_index.doctor.check import Check, checked
from groundkit_index.layout import VersionPaths


def check_catalog(version: VersionPaths) -> Check:
    """Check the database, every row, and that the rows agree with one another."""
    try:
        reader = CatalogReader(version.catalog)
    except StorageError as error:
        return checked("catalog", [str(error)])
    try:
        return checked("catalog", reader.read(lambda connection: list(_faults(connection))))
    except StorageError as error:
        return checked("catalog", [str(error)])
    finally:
        reader.close()


def _faults(connection: sqlite3.Connection) -> Iterator[str]:
    for (line,) in connection.execute("pragma integrity_check(20)"):
        if line != "ok":
            yield f"database: {line}"
    for table, *_ in connection.execute("pragma foreign_key_check"):
        yield f"a row of {table} has no parent"
    yield from _manifest_faults(connection)
    yield from _chunk_faults(connection)
    yield from _count_faults(connection)
    yield from _text_faults(connection)
    if _tally(connection) != queries.manifest_value(connection, "documents_digest"):
        yield "the documents do not add up to the digest in the manifest"


def _manifest_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for table, key in (("chunk", "next_chunk_key"), ("doc", "next_doc_key")):
        column = f"{table}_key"
        source = "chunks" if table == "chunk" else "documents"
        highest = connection.execute(f"select max({column}) from {source}").fetchone()[0]
        if highest is not None and highest >= queries.manifest_value(connection, key):
            yield f"the manifest's {key} would give out a key again"
    consumers = {name for (name,) in connection.execute("select name from consumers")}
    if LEXICAL not in consumers:
        yield "the lexical index is not registered as a consumer"
    bound = queries.embedding(connection) is not None
    if bound != (VECTORS in consumers):
        yield "the vectors are registered as a consumer only, or bound to an embedder only"


def _chunk_faults(connection: sqlite3.Connection) -> Iterator[str]:
    document: list[ChunkRecord] = []
    for record in queries.all_chunks(connection):
        if document and record.doc_key != document[0].doc_key:
            yield from _document_faults(document)
            document = []
        document.append(record)
    yield from _document_faults(document)


def _document_faults(chunks: list[ChunkRecord]) -> Iterator[str]:
    if not chunks:
        return
    ids = chunk_ids(chunks[0].document_id, (chunk.content for chunk in chunks))
    for chunk_id, chunk in zip(ids, chunks, strict=True):
        if chunk_id != chunk.chunk_id:
            yield f"chunk {chunk.chunk_id} does not hold the content it was named for"
        if chunk.end - chunk.start != len(chunk.content):
            yield f"chunk {chunk.chunk_id} has a span that does not fit its content"


def _text_faults(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "select d.document_id, t.doc_key is null from documents d left join texts t using (doc_key)"
        " where (d.extractor is null) <> (t.doc_key is null)"
    )
    for document_id, lacks in rows:
        yield f"document {document_id} {'lacks its text' if lacks else 'has a text too many'}"
    for (doc_key,) in connection.execute("select doc_key from texts").fetchall():
        queries.document_text(connection, doc_key)


def _count_faults(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "select d.document_id, d.chunks, count(c.chunk_key) from documents d"
        " left join chunks c using (doc_key) group by d.doc_key having"
        " d.chunks <> count(c.chunk_key)"
    )
    for document_id, expected, found in rows:
        yield f"document {document_id} should have {expected} chunks and has {found}"


def _tally(connection: sqlite3.Connection) -> str:
    tally = DocumentTally()
    rows = connection.execute(
        "select r.name, d.source, d.sha256 from documents d join roots r using (root_key)"
    )
    for name, source, sha256 in rows:
        tally.add(name, source, sha256)
    return tally.hexdigest()
