"""Writes the catalog: one transaction a batch, one generation a transaction."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from groundkit_core.contracts import SourceClass, Tuning
from groundkit_core.errors import CorruptIndexError, StorageError
from groundkit_core.identity import chunk_ids, document_id
from groundkit_core.model import FileSignature
from groundkit_index.catalog import queries, rows
from groundkit_index.catalog.checksums import DocumentTally
from groundkit_index.catalog.connection import now, open_database
from groundkit_index.catalog.outbox import Outbox
from groundkit_index.catalog.records import ChunkRecord, KnownDocument, RootRecord
from groundkit_index.lexical.entry import LexicalEntry
from groundkit_index.prepared import PreparedChunk, PreparedDocument


class CatalogWriter:
    """The catalog, open for the one writer.

    Args:
        path: the database; it must have been made by `create_database`.

    Attributes:
        outbox: changes for derived indexes.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._db = open_database(path)
            self._connection = self._db.conn
            _check_or_close(self._connection)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise CorruptIndexError(
                f"the catalog cannot be opened ({error}); restore the index or ingest into a "
                "new collection"
            ) from None
        self.outbox = Outbox(self._db)
        self._dirty = False
        self._kept_ids: dict[tuple[str, str], str] = {}
        self._reserved: frozenset[str] = frozenset()

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
            with self._transaction():
                self._next_chunk = int(self._manifest("next_chunk_key"))
                self._next_doc = int(self._manifest("next_doc_key"))
                self._tally = DocumentTally(str(self._manifest("documents_digest")))
                self._names = {root.root_key: root.name for root in self.roots()}
                yield
                if self._dirty:
                    self._set_manifest(
                        generation=self.generation + 1,
                        next_chunk_key=self._next_chunk,
                        next_doc_key=self._next_doc,
                        documents_digest=self._tally.hexdigest(),
                        updated_at=now(),
                    )
        except sqlite3.Error as error:
            raise StorageError(f"the catalog cannot be written: {error}") from error

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Take the write lock at once: SQLite waits for others only when a writer begins so."""
        self._connection.execute("begin immediate")
        try:
            yield
            self._connection.execute("commit")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("rollback")
            raise

    def _manifest(self, name: str) -> Any:
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
    def embedding(self) -> dict[str, Any] | None:
        """The embedder that the collection is bound to; None for a lexical collection."""
        return queries.embedding(self._connection)

    def set_embedding(self, value: dict[str, Any]) -> None:
        """Bind the collection to an embedder, in the open batch."""
        self._set_manifest(embedding=value)
        self._dirty = True

    @property
    def tuning(self) -> Tuning:
        """How the collection is ranked and gated, over the defaults."""
        return queries.tuning(self._connection)

    def set_tuning(self, tuning: Tuning) -> None:
        """Record how the collection is ranked and gated, in the open batch."""
        self._set_manifest(tuning=tuning.model_dump(mode="json"))
        self._dirty = True

    @property
    def allowed_secrets(self) -> frozenset[str]:
        """The ids of guard rules that do not refuse a file in this collection."""
        return frozenset(self._manifest("allowed_secrets"))

    def allow_secrets(self, rule_ids: Iterable[str]) -> None:
        """Record exceptions from the guard; they stay."""
        self._set_manifest(allowed_secrets=sorted(self.allowed_secrets.union(rule_ids)))
        self._dirty = True

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
        key = self._connection.execute(
            "insert into roots (name, path) values (?, ?) returning root_key", (unique, path)
        ).fetchone()[0]
        self._connection.execute(rows.SEAL_ROOT, (key,))
        self._names[key] = unique
        self._dirty = True
        return RootRecord(key, unique, path)

    def repoint_root(self, root: RootRecord, path: str) -> RootRecord:
        """Let a root stand at another path; its documents keep their ids."""
        self._db.table("roots").update(root.root_key, {"path": path})
        self._connection.execute(rows.SEAL_ROOT, (root.root_key,))
        self._dirty = True
        return replace(root, path=path)

    def remove_root(self, root: RootRecord) -> None:
        """Forget a root that has no documents left."""
        self._db.table("roots").delete(root.root_key)
        self._db.table("scopes").delete_where("root_key = ?", [root.root_key])
        self._dirty = True

    def scopes(self, root: RootRecord) -> dict[str, tuple[str | None, SourceClass | None]]:
        """Return the parts of a root that were ingested: scope -> (project, source class) set."""
        found = self._db.table("scopes").rows_where("root_key = ?", [root.root_key])
        return {row["scope"]: (row["project"], row["source_class"]) for row in found}

    def remove_scopes(self, root: RootRecord, scope: str) -> None:
        """Forget the parts at or below `scope`."""
        self._db.execute(
            "delete from scopes where root_key = :root and (:scope = '' or scope = :scope"
            " or substr(scope, 1, :length) = :prefix)",
            {
                "root": root.root_key,
                "scope": scope,
                "length": len(scope) + 1,
                "prefix": f"{scope}/",
            },
        )

    def set_scope(
        self,
        root: RootRecord,
        scope: str,
        project: str | None,
        source_class: SourceClass | None,
    ) -> None:
        """Record that `scope` is ingested, with what is fixed for it; None leaves it open."""
        self._db.table("scopes").upsert(
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
    ) -> list[LexicalEntry]:
        """Add a document, or replace what the catalog holds of it.

        A chunk whose content stands in the document still keeps its id and key. Returns what the
        lexical index takes of the chunks that are new.
        """
        relabelled = False
        if known is None:
            doc_key, name = self._next_doc, self._free_id(root, document.source)
            self._next_doc += 1
        else:
            doc_key, name = known.doc_key, known.document_id
            self._count_out(known)
            relabelled = _labels(known) != (
                root.root_key,
                document.source,
                document.source_class,
                document.project,
                document.title,
            )
        row = rows.document_row(doc_key, name, root.root_key, document)
        self._connection.execute(rows.PUT_DOCUMENT, row)
        self._connection.execute(rows.SEAL_DOCUMENT, (doc_key,))
        self._write_text(doc_key, document.text)
        self._tally.add(root.name, document.source, document.sha256)
        self._dirty = True
        new = self._write_chunks(doc_key, name, document.chunks, relabelled=relabelled)
        return [_entry(key, doc_key, document, chunk) for key, chunk in new]

    def _write_text(self, doc_key: int, text: str | None) -> None:
        if text is None:
            self._connection.execute(rows.DELETE_TEXT, (doc_key,))
        else:
            packed = zlib.compress(text.encode("utf-8"))
            self._connection.execute(rows.PUT_TEXT, (doc_key, packed))

    def _count_out(self, known: KnownDocument) -> None:
        self._tally.remove(self._names[known.root_key], known.source, known.sha256)

    def keep_ids(self, ids: dict[tuple[str, str], str]) -> None:
        """Give documents that are added the ids (root name, source) -> id of an older version."""
        self._kept_ids = ids
        self._reserved = frozenset(ids.values())

    def _free_id(self, root: RootRecord, source: str) -> str:
        kept = self._kept_ids.get((root.name, source))
        if kept is not None and not self._holds_id(kept):
            return kept
        ordinal = 0
        while True:
            name = document_id(root.name, source, ordinal)
            if name not in self._reserved and not self._holds_id(name):
                return name
            ordinal += 1

    def _holds_id(self, name: str) -> bool:
        found = self._connection.execute("select 1 from documents where document_id=?", (name,))
        return found.fetchone() is not None

    def _write_chunks(
        self, doc_key: int, name: str, chunks: Sequence[PreparedChunk], *, relabelled: bool
    ) -> list[tuple[int, PreparedChunk]]:
        old = self._old_chunks(doc_key)
        new = []
        inserts, updates, put = [], [], []
        ids = chunk_ids(name, (chunk.content for chunk in chunks))
        for ordinal, (chunk_id, chunk) in enumerate(zip(ids, chunks, strict=True)):
            kept = old.pop(chunk_id, None)
            if kept is None:
                key = self._next_chunk
                self._next_chunk += 1
                inserts.append(rows.chunk_row(key, chunk_id, doc_key, ordinal, chunk))
                put.append(key)
                new.append((key, chunk))
                continue
            key, headings = kept
            updates.append(rows.moved_chunk_row(key, chunk_id, doc_key, ordinal, chunk))
            if relabelled or headings != rows.headings_text(chunk):
                put.append(key)
        self._delete_chunks(key for key, _ in old.values())
        self._connection.executemany(rows.UPDATE_CHUNK, updates)
        self._connection.executemany(rows.INSERT_CHUNK, inserts)
        self.outbox.enqueue("put", put)
        return new

    def _old_chunks(self, doc_key: int) -> dict[str, tuple[int, str]]:
        found = self._connection.execute(
            "select chunk_id, chunk_key, headings from chunks where doc_key=?", (doc_key,)
        )
        return {chunk_id: (key, headings) for chunk_id, key, headings in found}

    def _delete_chunks(self, keys: Iterable[int]) -> None:
        gone = list(keys)
        self._connection.executemany("delete from chunks where chunk_key=?", ((k,) for k in gone))
        self.outbox.enqueue("delete", gone)

    def remove_document(self, known: KnownDocument) -> None:
        """Remove a document and its chunks."""
        self._count_out(known)
        self._delete_chunks(self._keys_of(known.doc_key))
        self._connection.execute(rows.DELETE_TEXT, (known.doc_key,))
        self._db.table("documents").delete(known.doc_key)
        self._dirty = True

    def _keys_of(self, doc_key: int) -> list[int]:
        found = self._connection.execute("select chunk_key from chunks where doc_key=?", (doc_key,))
        return [key for (key,) in found]

    def touch_document(self, known: KnownDocument, signature: FileSignature) -> None:
        """Record a new signature of an unchanged file; not a change of the catalog's content."""
        self._update_document(known, signature)

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
        self._count_out(known)
        self._update_document(
            known,
            signature,
            root_key=root.root_key,
            source=source,
            source_class=source_class,
            project=project,
        )
        self._tally.add(root.name, source, known.sha256)
        self.outbox.enqueue("put", self._keys_of(known.doc_key))
        self._dirty = True

    def _update_document(
        self, known: KnownDocument, signature: FileSignature, **labels: str | int
    ) -> None:
        times = {
            "size": signature.size,
            "mtime_ns": signature.mtime_ns,
            "ctime_ns": signature.ctime_ns,
            "inode": signature.inode,
        }
        self._db.table("documents").update(known.doc_key, {**labels, **times})
        self._connection.execute(rows.SEAL_DOCUMENT, (known.doc_key,))

    def chunks(self, keys: Sequence[int]) -> dict[int, ChunkRecord]:
        """Return the chunks that the catalog holds under these keys."""
        return queries.chunks_by_key(self._connection, keys)


def _check_or_close(connection: sqlite3.Connection) -> None:
    try:
        queries.check_identity(connection)
    except BaseException:
        connection.close()
        raise


def _entry(
    chunk_key: int, doc_key: int, document: PreparedDocument, chunk: PreparedChunk
) -> LexicalEntry:
    return LexicalEntry(
        chunk_key=chunk_key,
        doc_key=doc_key,
        tokens=chunk.tokens,
        headings="\n".join((document.title, *chunk.heading_path)),
        source=document.source,
        source_class=document.source_class,
        project=document.project,
    )


def _labels(known: KnownDocument) -> tuple[int, str, str, str, str]:
    return known.root_key, known.source, known.source_class, known.project, known.title
