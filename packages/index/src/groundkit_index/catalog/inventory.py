"""Counts and listings of the catalog."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import NamedTuple

from groundkit_core.contracts import SOURCE_CLASSES, SourceClass
from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter
from groundkit_index.catalog import queries
from groundkit_index.catalog.schema import VECTORS

_MATCHING = (
    "from documents join roots using (root_key)"
    " where source_class in (select value from json_each(:classes))"
    " and (:projects is null or project in (select value from json_each(:projects)))"
)
_AMONG = (
    "from documents join roots using (root_key)"
    " where doc_key in (select value from json_each(:among))"
)
_COUNT = "select count(*) {matching}"
_PAGE = (
    "select document_id, name, source, source_class, project, title, chunks, doc_key {matching}"
    " order by name, source limit :limit offset :offset"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a status report says of a catalog."""

    settings: dict[str, str | int]
    documents: int
    chunks: int
    by_class: dict[SourceClass, int]
    by_root: dict[str, int]
    documents_digest: str | None
    allowed_secrets: tuple[str, ...]
    pending: int
    pending_vectors: int
    created_at: str
    updated_at: str


class SourceRow(NamedTuple):
    """A document in a listing."""

    document_id: str
    root: str
    source: str
    source_class: SourceClass
    project: str
    title: str
    chunks: int
    doc_key: int


def facts(connection: sqlite3.Connection) -> Facts:
    """Return the facts of a catalog."""
    documents, chunks = queries.counts(connection)
    by_class = connection.execute(
        "select source_class, count(*) from documents group by source_class order by 1"
    )
    classes = dict(by_class.fetchall())
    if not classes.keys() <= set(SOURCE_CLASSES):
        raise CorruptIndexError("a row of the catalog is damaged; run `groundkit rebuild`")
    by_root = connection.execute(
        "select r.name, count(d.doc_key) from roots r left join documents d using (root_key)"
        " group by r.root_key order by r.name"
    )
    pending = connection.execute(
        "select count(*) from outbox where seq > (select min(acked) from consumers)"
    )
    pending_vectors = connection.execute(
        "select count(*) from outbox where seq > (select acked from consumers where name=?)",
        (VECTORS,),
    )
    return Facts(
        settings=queries.manifest_value(connection, "settings"),
        documents=documents,
        chunks=chunks,
        by_class=classes,
        by_root=dict(by_root.fetchall()),
        documents_digest=queries.manifest_value(connection, "documents_digest"),
        allowed_secrets=tuple(queries.manifest_value(connection, "allowed_secrets")),
        pending=pending.fetchone()[0],
        pending_vectors=pending_vectors.fetchone()[0],
        created_at=queries.manifest_value(connection, "created_at"),
        updated_at=queries.manifest_value(connection, "updated_at"),
    )


def sources(
    connection: sqlite3.Connection, where: DocumentFilter, limit: int, offset: int
) -> tuple[int, list[SourceRow]]:
    """Return the number of documents that match, and one page of them by root and source.

    A negative `limit` gives all of them.
    """
    only, matching = where.only, _MATCHING if where.among is None else _AMONG
    args = {
        "classes": json.dumps(sorted(where.classes)),
        "projects": None if only is None else json.dumps(sorted(only)),
        "among": None if where.among is None else json.dumps(sorted(where.among.keys)),
        "limit": limit,
        "offset": offset,
    }
    total = connection.execute(_COUNT.format(matching=matching), args)
    rows = connection.execute(_PAGE.format(matching=matching), args)
    return int(total.fetchone()[0]), [SourceRow(*row) for row in rows]
