"""Opens the catalog for writing, and makes an empty one."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from sqlite_utils import Database

from groundkit_index.catalog.checksums import DocumentTally, row_checksum
from groundkit_index.catalog.rows import CHECKSUM_FUNCTION
from groundkit_index.catalog.schema import APPLICATION_ID, SCHEMA_VERSION, create_tables

_BUSY_SECONDS = 30.0


def now() -> str:
    """Return the time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def open_database(path: Path, *, create: bool = False) -> Database:
    """Open a catalog for the writer: durable commits, foreign keys, checksums in SQL."""
    mode = "rwc" if create else "rw"
    address = f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)
    try:
        connection.execute("pragma synchronous=full")
        connection.execute("pragma foreign_keys=on")
        connection.create_function(CHECKSUM_FUNCTION, -1, row_checksum, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return Database(connection, execute_plugins=False)


def create_database(path: Path, settings: dict[str, str | int], *, generation: int = 0) -> None:
    """Make an empty catalog with the settings that are fixed for its life."""
    db = open_database(path, create=True)
    created = now()
    manifest = {
        "settings": settings,
        "generation": generation,
        "next_chunk_key": 1,
        "next_doc_key": 1,
        "allowed_secrets": [],
        "documents_digest": DocumentTally().hexdigest(),
        "created_at": created,
        "updated_at": created,
    }
    db.conn.execute("pragma journal_mode=wal")
    db.conn.execute(f"pragma application_id={APPLICATION_ID}")
    db.conn.execute(f"pragma user_version={SCHEMA_VERSION}")
    with db.atomic():
        create_tables(db)
        db.table("manifest").insert_all(
            {"name": name, "value": json.dumps(value)} for name, value in manifest.items()
        )
    db.conn.close()
