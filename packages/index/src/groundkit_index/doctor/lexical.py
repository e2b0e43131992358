"""Checks of the lexical index against the catalog, in both directions."""

from __future__ import annotations

from collections.abc import Iterator

from groundkit_core.errors import StorageError
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.doctor.check import Check, checked
from groundkit_index.layout import VersionPaths
from groundkit_index.lexical import integrity


def check_lexical(version: VersionPaths) -> Check:
    """Check the files' checksums, and that index and catalog hold the same chunks."""
    try:
        faults = list(_faults(version))
    except (StorageError, OSError, ValueError) as error:
        faults = [str(error)]
    return checked("lexical index", faults, derived=True)


def _faults(version: VersionPaths) -> Iterator[str]:
    damaged = list(integrity.damaged_files(version.lexical))
    yield from (f"file {name} is damaged" for name in damaged)
    if damaged:
        return
    reader = CatalogReader(version.catalog)
    try:
        held, waiting = reader.read(
            lambda connection: (
                {key for (key,) in connection.execute("select chunk_key from chunks")},
                {key for (key,) in connection.execute("select chunk_key from outbox")},
            )
        )
    finally:
        reader.close()
    indexed = integrity.keys(version.lexical, max(held, default=0))
    yield from (f"chunk {key} is not indexed" for key in sorted(held - indexed - waiting))
    yield from (f"chunk {key} is indexed but gone" for key in sorted(indexed - held - waiting))
