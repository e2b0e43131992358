"""Writes the catalog: one transaction a batch, one generation a transaction."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database

from groundkit_core.contracts import SourceClass
from groundkit_core.errors import StorageError
from groundkit_core.identity import chunk_ids, document_id
from groundkit_core.model import FileSignature
from groundkit_index.catalog import queries
from groundkit_index.catalog.records import ChunkRecord, KnownDocument, RootRecord
from groundkit_index.catalog.schema import APPLICATION_ID, LEXICAL, SCHEMA_VERSION, create_tables
from groundkit_index.prepared import PreparedChunk, PreparedDocument

_BUSY_SECONDS = 30.0
_INSERT_CHUNK = (
    "insert into chunks (chunk_key, chunk_id, doc_key, ordinal, start, end, start_line, end_line,"
    " headings, page, content, prefix, suffix) values (?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
_UPDATE_CHUNK = (
    "update chunks set ordinal=?, start=?, end=?, start_line=?, end_line=?, headings=?, page=?,"
    " prefix=?, suffix=? where chunk_key=?"
)


def _headings(chunk: PreparedChunk) -> str:
    return json.dumps(chunk.heading_path, ensure_ascii=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class CatalogWriter:
    """The catalog, open for the one writer.

    Args:
        path: the database; it must have been made by `create`.
    """

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)
        self._db = Database(self._connection, execute_plugins=False)
        queries.check_identity(self._connection)
        self._dirty = False

    @classmethod
    def create(cls, path: Path, settings: dict[str, str | int]) -> CatalogWriter:
        """Make an empty catalog with the settings that are fixed for its life."""
        connection = _connect(path)
        db = Database(connection, execute_plugins=False)
        connection.execute("pragma journal_mode=wal")
        connection.execute(f"pragma application_id={APPLICATION_ID}")
        connection.execute(f"pragma user_version={SCHEMA_VERSION}")
        now = _now()
        manifest = {
            "settings": settings,
            "generation": 0,
            "next_chunk_key": 1,
            "next_doc_key": 1,
            "created_at": now,
            "updated_at": now,
        }
        with db.atomic():
            create_tables(db)
            db.table("manifest").insert_all(
                {"name": name, "value": json.dumps(value)} for name, value in manifest.items()
            )
        connection.close()
        return cls(path)

    def close(self) -> None:
        """Fold the write-ahead log into the database and close it."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("pragma wal_checkpoint(truncate)")
        self._connection.close()

    @contextlib.contextmanager
    def batch(self) -> Iterator[None]:
        """One transaction; steps the generation when something changed.

        Raises:
            StorageError: the disk is full or failing; the batch is not there at all.
        """
        self._dirty = False
        try:
            with self._db.atomic():
                self._next_chunk = int(self._manifest("next_chunk_key"))
                self._next_doc = int(self._manifest("next_doc_key"))
                yield
                if self._dirty:
                    self._set_manifest(
                        generation=self.generation + 1,
                        next_chunk_key=self._next_chunk,
                        next_doc_key=self._next_doc,
                        updated_at=_now(),
                    )
        except sqlite3.Error as error:
            raise StorageError(f"the catalog cannot be written: {error}") from error

    def _manifest(self, name: str) -> str | int | dict[str, str | int]:
        return queries.manifest_value(self._connection, name)

    def _set_manifest(self, **values: object) -> None:
        self._db.table("manifest").upsert_all(
            ({"name": name, "value": json.dumps(value)} for name, value in values.items()),
            pk="name",
        )

    @property
    def generation(self) -> int:
        """The number of batches that changed the catalog."""
        return int(self._manifest("generation"))

    @property
    def settings(self) -> dict[str, str | int]:
        """What was fixed when the collection was made."""
        return dict(self._manifest("settings"))

    @property
    def counts(self) -> tuple[int, int]:
        """Documents and chunks in the catalog."""
        return queries.counts(self._connection)

    # Roots

    def roots(self) -> list[RootRecord]:
        """Return the registered roots by name."""
        return queries.roots(self._connection)

    def add_root(self, path: str, name: str) -> RootRecord:
        """Register a root; a taken name gets a number behind it."""
        taken = {root.name for root in self.roots()}
        unique, number = name, 2
        while unique in taken:
            unique, number = f"{name}-{number}", number + 1
        key = self._db.table("roots").insert({"name": unique, "path": path}).last_pk
        self._dirty = True
        return RootRecord(int(key), unique, path)

    def repoint_root(self, root: RootRecord, path: str) -> RootRecord:
        """Let a root stand at another path; its documents keep their ids."""
        self._db.table("roots").update(root.root_key, {"path": path})
        self._dirty = True
        return replace(root, path=path)

    def remove_root(self, root: RootRecord) -> None:
        """Forget a root that has no documents left."""
        self._db.table("roots").delete(root.root_key)
        self._db.table("overrides").delete_where("root_key = ?", [root.root_key])
        self._dirty = True

    def overrides(self, root: RootRecord) -> dict[str, tuple[str | None, SourceClass | None]]:
        """Return scope -> (project, source class) that were set for parts of a root."""
        rows = self._db.table("overrides").rows_where("root_key = ?", [root.root_key])
        return {row["scope"]: (row["project"], row["source_class"]) for row in rows}

    def set_override(
        self,
        root: RootRecord,
        scope: str,
        project: str | None,
        source_class: SourceClass | None,
    ) -> None:
        """Fix project or source class for what lies below `scope`; None leaves it open."""
        self._db.table("overrides").upsert(
            {
                "root_key": root.root_key,
                "scope": scope,
                "project": project,
                "source_class": source_class,
            },
            pk=("root_key", "scope"),
        )

    # Documents

    def known_documents(self, root: RootRecord, scope: str = "") -> dict[str, KnownDocument]:
        """Return the documents of a root at or below `scope`, by source."""
        return queries.known_documents(self._connection, root.root_key, scope)

    def put_document(
        self, root: RootRecord, document: PreparedDocument, known: KnownDocument | None
    ) -> None:
        """Add a document, or replace what the catalog holds of it.

        A chunk whose content stands in the document still keeps its id and key.
        """
        if known is None:
            doc_key, name = self._next_doc, self._free_id(root, document.source)
            self._next_doc += 1
        else:
            doc_key, name = known.doc_key, known.document_id
        old_title = self._title(doc_key) if known else None
        self._write_row(doc_key, name, root, document)
        relabelled = known is not None and (
            (known.source_class, known.project, known.root_key, known.source, old_title)
            != (
                document.source_class,
                document.project,
                root.root_key,
                document.source,
                document.title,
            )
        )
        self._write_chunks(doc_key, name, document.chunks, relabelled=relabelled)
        self._dirty = True

    def _title(self, doc_key: int) -> str:
        row = self._connection.execute(
            "select title from documents where doc_key=?", (doc_key,)
        ).fetchone()
        return str(row[0])

    def _free_id(self, root: RootRecord, source: str) -> str:
        ordinal = 0
        while True:
            name = document_id(root.name, source, ordinal)
            taken = self._connection.execute(
                "select 1 from documents where document_id=?", (name,)
            ).fetchone()
            if not taken:
                return name
            ordinal += 1

    def _write_row(
        self, doc_key: int, name: str, root: RootRecord, document: PreparedDocument
    ) -> None:
        signature = document.signature
        self._db.table("documents").upsert(
            {
                "doc_key": doc_key,
                "document_id": name,
                "root_key": root.root_key,
                "source": document.source,
                "kind": document.kind,
                "source_class": document.source_class,
                "project": document.project,
                "title": document.title,
                "encoding": document.encoding,
                "sha256": document.sha256,
                "size": signature.size,
                "mtime_ns": signature.mtime_ns,
                "ctime_ns": signature.ctime_ns,
                "inode": signature.inode,
                "chunks": len(document.chunks),
            },
            pk="doc_key",
        )

    def _write_chunks(
        self, doc_key: int, name: str, chunks: Sequence[PreparedChunk], *, relabelled: bool
    ) -> None:
        old = {
            row[0]: (row[1], row[2])
            for row in self._connection.execute(
                "select chunk_id, chunk_key, headings from chunks where doc_key=?", (doc_key,)
            )
        }
        inserts, updates, put = [], [], []
        ids = chunk_ids(name, (chunk.content for chunk in chunks))
        for ordinal, (chunk_id, chunk) in enumerate(zip(ids, chunks, strict=True)):
            headings = _headings(chunk)
            place = (chunk.start, chunk.end, chunk.start_line, chunk.end_line, headings, chunk.page)
            kept = old.pop(chunk_id, None)
            if kept is None:
                key = self._next_chunk
                self._next_chunk += 1
                inserts.append(
                    (
                        key,
                        chunk_id,
                        doc_key,
                        ordinal,
                        *place,
                        chunk.content,
                        chunk.prefix,
                        chunk.suffix,
                    )
                )
                put.append(key)
            else:
                updates.append((ordinal, *place, chunk.prefix, chunk.suffix, kept[0]))
                if relabelled or kept[1] != headings:
                    put.append(kept[0])
        self._delete_chunks(key for key, _ in old.values())
        self._connection.executemany(_UPDATE_CHUNK, updates)
        self._connection.executemany(_INSERT_CHUNK, inserts)
        self._enqueue("put", put)

    def _delete_chunks(self, keys: Iterable[int]) -> None:
        gone = list(keys)
        self._connection.executemany("delete from chunks where chunk_key=?", ((k,) for k in gone))
        self._enqueue("delete", gone)

    def _enqueue(self, op: str, keys: Iterable[int]) -> None:
        self._connection.executemany(
            "insert into outbox (op, chunk_key) values (?, ?)", ((op, key) for key in keys)
        )

    def remove_document(self, known: KnownDocument) -> None:
        """Remove a document and its chunks."""
        self._delete_chunks(self._keys_of(known.doc_key))
        self._db.table("documents").delete(known.doc_key)
        self._dirty = True

    def _keys_of(self, doc_key: int) -> list[int]:
        rows = self._connection.execute("select chunk_key from chunks where doc_key=?", (doc_key,))
        return [key for (key,) in rows]

    def touch_document(self, known: KnownDocument, signature: FileSignature) -> None:
        """Record a new signature of an unchanged file; not a change of the catalog's content."""
        self._db.table("documents").update(
            known.doc_key,
            {
                "size": signature.size,
                "mtime_ns": signature.mtime_ns,
                "ctime_ns": signature.ctime_ns,
                "inode": signature.inode,
            },
        )

    def relabel_document(
        self,
        known: KnownDocument,
        root: RootRecord,
        source: str,
        source_class: SourceClass,
        project: str,
        signature: FileSignature,
    ) -> None:
        """Let a document with the same bytes stand at another place or under another label.

        Its id and its chunks' ids stay, so that citations of it live on.
        """
        self._db.table("documents").update(
            known.doc_key,
            {
                "root_key": root.root_key,
                "source": source,
                "source_class": source_class,
                "project": project,
                "size": signature.size,
                "mtime_ns": signature.mtime_ns,
                "ctime_ns": signature.ctime_ns,
                "inode": signature.inode,
            },
        )
        self._enqueue("put", self._keys_of(known.doc_key))
        self._dirty = True

    # Outbox

    def pending(self, consumer: str, limit: int) -> list[tuple[int, str, int]]:
        """Return up to `limit` changes (seq, op, chunk key) that a consumer has not taken up."""
        rows = self._connection.execute(
            "select seq, op, chunk_key from outbox where seq >"
            " (select acked from consumers where name=?) order by seq limit ?",
            (consumer, limit),
        )
        return rows.fetchall()

    def chunks(self, keys: Sequence[int]) -> dict[int, ChunkRecord]:
        """Return the chunks that the catalog holds under these keys."""
        return queries.chunks_by_key(self._connection, keys)

    def acknowledge(self, consumer: str, seq: int) -> None:
        """Record that a consumer holds everything up to `seq` durably; drop what all hold."""
        with self._db.atomic():
            self._db.execute("update consumers set acked=? where name=?", (seq, consumer))
            self._db.execute("delete from outbox where seq <= (select min(acked) from consumers)")

    def enqueue_all(self) -> None:
        """Offer every chunk again, to fill a derived index anew."""
        with self._db.atomic():
            self._db.execute("delete from outbox")
            self._db.execute(
                "insert into outbox (op, chunk_key) select 'put', chunk_key from chunks"
                " order by chunk_key"
            )


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
    connection.execute("pragma synchronous=full")
    connection.execute("pragma foreign_keys=on")
    return connection


__all__ = ["LEXICAL", "CatalogWriter"]
