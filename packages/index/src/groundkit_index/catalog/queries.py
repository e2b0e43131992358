"""Reads that the writer and the readers share; each takes an open connection."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from groundkit_core.contracts import Tuning
from groundkit_core.errors import CorruptIndexError, IncompatibleIndexError
from groundkit_core.model import FileSignature
from groundkit_index.catalog.checksums import row_checksum
from groundkit_index.catalog.records import ChunkRecord, KnownDocument, LabelledDocument, RootRecord
from groundkit_index.catalog.schema import APPLICATION_ID, SCHEMA_VERSION

_CHUNK = (
    "select c.chunk_key, c.chunk_id, c.content, c.start, c.end, c.start_line, c.end_line,"
    " c.headings, c.page, c.prefix, c.suffix, d.doc_key, d.document_id, d.root_key, r.name,"
    " d.source, d.source_class, d.project, d.title, d.encoding, d.sha256,"
    " d.size, d.mtime_ns, d.ctime_ns, d.inode, d.kind, d.chunks, d.labels,"
    " d.declared_class, d.extractor, c.place, c.checksum, d.checksum"
    " from chunks c join documents d using (doc_key) join roots r using (root_key)"
)
_DAMAGED_ROW = "a row of the catalog is damaged; run `groundkit rebuild`, or restore the index"
_CHUNKS_BY_KEY = f"{_CHUNK} where c.chunk_key in (select value from json_each(?))"
_CHUNK_BY_ID = f"{_CHUNK} where c.chunk_id = ?"
_ALL_CHUNKS = f"{_CHUNK} order by r.name, d.source, c.ordinal"

_MANIFEST = {
    "settings": dict,
    "generation": int,
    "next_chunk_key": int,
    "next_doc_key": int,
    "allowed_secrets": list,
    "documents_digest": str,
    "created_at": str,
    "updated_at": str,
}
_IDENTITY = {"provider": str, "model": str, "revision": str, "dimensions": int}
_DAMAGED_EMBEDDING = "the manifest's embedding is damaged; restore the index"
_SETTINGS = {
    "analyzer": str,
    "language": str,
    "chunk_target": int,
    "chunk_cap": int,
    "chunk_overlap": int,
}


def check_identity(connection: sqlite3.Connection) -> None:
    """Raise unless the database is a catalog of this schema version with a sound manifest."""
    try:
        application = connection.execute("pragma application_id").fetchone()[0]
        version = connection.execute("pragma user_version").fetchone()[0]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise CorruptIndexError(
            f"the catalog is damaged ({error}); ingest into a new collection"
        ) from None
    if application != APPLICATION_ID:
        raise CorruptIndexError("catalog.sqlite3 is not a groundkit catalog; use another index dir")
    if version != SCHEMA_VERSION:
        raise IncompatibleIndexError(
            f"the catalog has schema version {version}, this groundkit reads {SCHEMA_VERSION}; "
            "upgrade groundkit or ingest into a new collection"
        )
    check_manifest(connection)


def check_manifest(connection: sqlite3.Connection) -> None:
    """Raise unless every value of the manifest is there and of its type."""
    for name, kind in _MANIFEST.items():
        if not isinstance(manifest_value(connection, name), kind):
            raise CorruptIndexError(f"the manifest's {name} is damaged; restore the index")
    settings = manifest_value(connection, "settings")
    if not all(isinstance(settings.get(name), kind) for name, kind in _SETTINGS.items()):
        raise CorruptIndexError("the manifest's settings are damaged; restore the index")


def manifest_value(connection: sqlite3.Connection, name: str) -> Any:
    """Return a value of the manifest."""
    row = connection.execute("select value from manifest where name=?", (name,)).fetchone()
    try:
        return json.loads(row[0])
    except (TypeError, ValueError):
        raise CorruptIndexError(
            f"the manifest's {name} is damaged; restore the index or ingest into a new collection"
        ) from None


def embedding(connection: sqlite3.Connection) -> dict[str, Any] | None:
    """Return the embedder that the collection is bound to, or None.

    Raises:
        CorruptIndexError: what is recorded of it is damaged.
    """
    row = connection.execute("select value from manifest where name='embedding'").fetchone()
    if row is None:
        return None
    try:
        value = json.loads(row[0])
        identity, settings = value["identity"], value["settings"]
        sound = all(isinstance(identity[name], kind) for name, kind in _IDENTITY.items())
    except (ValueError, TypeError, KeyError):
        raise CorruptIndexError(_DAMAGED_EMBEDDING) from None
    if not sound or not isinstance(settings, dict):
        raise CorruptIndexError(_DAMAGED_EMBEDDING)
    return dict(value)


def tuning(connection: sqlite3.Connection) -> Tuning:
    """Return how the collection is ranked and gated, over the defaults."""
    row = connection.execute("select value from manifest where name='tuning'").fetchone()
    try:
        return Tuning.model_validate_json(row[0]) if row else Tuning()
    except ValidationError:
        raise CorruptIndexError("the manifest's tuning is damaged; restore the index") from None


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the number of documents and of chunks."""
    row = connection.execute("select count(*), coalesce(sum(chunks), 0) from documents").fetchone()
    return int(row[0]), int(row[1])


def roots(connection: sqlite3.Connection) -> list[RootRecord]:
    """Return the registered roots by name."""
    rows = connection.execute("select root_key, name, path, checksum from roots order by name")
    found = []
    for *values, checksum in rows:
        if row_checksum(*values) != checksum:
            raise CorruptIndexError(_DAMAGED_ROW)
        found.append(RootRecord(*values))
    return found


def labelled_documents(connection: sqlite3.Connection) -> list[LabelledDocument]:
    """Return what access to each document is decided by."""
    from groundkit_core.access.declarations import Declared

    rows = connection.execute(
        "select d.doc_key, r.name, d.source, d.source_class, d.project, d.labels, d.declared_class"
        " from documents d join roots r using (root_key) order by d.doc_key"
    )
    return [
        LabelledDocument(
            key, root, source, kind, project, Declared(frozenset(labels.split()), declared_class)
        )
        for key, root, source, kind, project, labels, declared_class in rows
    ]


def declares_access(connection: sqlite3.Connection) -> bool:
    """Return whether some document's front matter says something about access."""
    found = connection.execute(
        "select 1 from documents where labels != '' or declared_class is not null limit 1"
    )
    return found.fetchone() is not None


def known_documents(
    connection: sqlite3.Connection, root_key: int, scope: str
) -> dict[str, KnownDocument]:
    """Return the documents of a root at or below `scope`, by source."""
    rows = connection.execute(
        "select doc_key, document_id, root_key, source, kind, source_class, project, title, sha256,"
        " size, mtime_ns, ctime_ns, inode from documents where root_key = :root"
        " and (:scope = '' or source = :scope"
        " or substr(source, 1, :length) in (:scope || '/', :scope || '!'))",
        {"root": root_key, "scope": scope, "length": len(scope) + 1},
    )
    return {row[3]: _known(*row) for row in rows}


def _known(*row: Any) -> KnownDocument:
    values = [*row[:9], FileSignature(*row[9:])]
    return KnownDocument(*values)


def _chunk(row: tuple[Any, ...]) -> ChunkRecord:
    _check_row(row)
    values = [
        *row[:7],
        tuple(json.loads(row[7])),
        *row[8:21],
        FileSignature(*row[21:25]),
        row[25],
        *row[29:31],
    ]
    return ChunkRecord(*values)


def _check_row(row: tuple[Any, ...]) -> None:
    """Raise unless the values are those that were written."""
    chunk = row_checksum(row[0], row[1], row[11], *row[3:9], row[30], row[2], row[9], row[10])
    document = row_checksum(row[11], row[12], row[13], row[15], row[25], *row[16:25], *row[26:30])
    if (chunk, document) != row[31:]:
        raise CorruptIndexError(_DAMAGED_ROW)


def chunks_by_key(connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, ChunkRecord]:
    """Return the chunks that the catalog holds under these keys."""
    rows = connection.execute(_CHUNKS_BY_KEY, (json.dumps(keys),))
    return {row[0]: _chunk(row) for row in rows}


def chunk_by_id(connection: sqlite3.Connection, chunk_id: str) -> ChunkRecord | None:
    """Return the chunk with this id, or None."""
    row = connection.execute(_CHUNK_BY_ID, (chunk_id,)).fetchone()
    return _chunk(row) if row else None


def document_text(connection: sqlite3.Connection, doc_key: int) -> str | None:
    """Return the extracted text of a document; None for one that is text itself.

    Raises:
        CorruptIndexError: it is damaged.
    """
    row = connection.execute("select text from texts where doc_key = ?", (doc_key,)).fetchone()
    if row is None:
        return None
    try:
        return zlib.decompress(row[0]).decode("utf-8")
    except (zlib.error, UnicodeDecodeError):
        raise CorruptIndexError(_DAMAGED_ROW) from None


def all_chunks(connection: sqlite3.Connection) -> Iterator[ChunkRecord]:
    """Yield every chunk, by root, source and place."""
    for row in connection.execute(_ALL_CHUNKS):
        yield _chunk(row)
