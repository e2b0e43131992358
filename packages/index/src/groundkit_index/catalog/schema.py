"""Tables of the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x676B6974
SCHEMA_VERSION = 3
LEXICAL = "lexical"
VECTORS = "vectors"


def create_tables(db: Database) -> None:
    """Create the tables of an empty catalog, in the caller's transaction."""
    db.table("manifest").create({"name": str, "value": str}, pk="name", strict=True)
    db.table("roots").create(
        {"root_key": int, "name": str, "path": str, "checksum": int},
        pk="root_key",
        not_null={"name", "path"},
        strict=True,
    ).create_index(["name"], unique=True)
    db.table("scopes").create(
        {"root_key": int, "scope": str, "project": str, "source_class": str},
        pk=("root_key", "scope"),
        strict=True,
    )
    documents = db.table("documents").create(
        {
            "doc_key": int,
            "document_id": str,
            "root_key": int,
            "source": str,
            "kind": str,
            "source_class": str,
            "project": str,
            "title": str,
            "encoding": str,
            "sha256": str,
            "size": int,
            "mtime_ns": int,
            "ctime_ns": int,
            "inode": int,
            "chunks": int,
            "labels": str,
            "declared_class": str,
            "extractor": str,
            "checksum": int,
        },
        pk="doc_key",
        not_null={"document_id", "root_key", "source", "sha256"},
        foreign_keys=[("root_key", "roots", "root_key")],
        strict=True,
    )
    documents.create_index(["document_id"], unique=True)
    documents.create_index(["root_key", "source"], unique=True)
    documents.create_index(["sha256"])
    chunks = db.table("chunks").create(
        {
            "chunk_key": int,
            "chunk_id": str,
            "doc_key": int,
            "ordinal": int,
            "start": int,
            "end": int,
            "start_line": int,
            "end_line": int,
            "headings": str,
            "page": int,
            "place": str,
            "content": str,
            "prefix": str,
            "suffix": str,
            "checksum": int,
        },
        pk="chunk_key",
        not_null={"chunk_id", "doc_key", "content"},
        foreign_keys=[("doc_key", "documents", "doc_key")],
        strict=True,
    )
    chunks.create_index(["chunk_id"], unique=True)
    chunks.create_index(["doc_key", "ordinal"])
    db.execute(
        "create table texts (doc_key integer primary key references documents (doc_key),"
        " text blob not null) strict"
    )
    db.execute(
        "create table outbox (seq integer primary key autoincrement,"
        " op text not null check (op in ('put', 'delete')), chunk_key integer not null) strict"
    )
    db.table("consumers").create({"name": str, "acked": int}, pk="name", strict=True)
    db.table("consumers").insert({"name": LEXICAL, "acked": 0})
