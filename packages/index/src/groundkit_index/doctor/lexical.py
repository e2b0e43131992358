"""Checks of the lexical index against the catalog, in both directions."""

from __future__ import annotations

from collections.abc import Iterator

from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.catalog.schema import LEXICAL
from groundkit_index.doctor.check import Check
from groundkit_index.doctor.steady import steady_check
from groundkit_index.layout import VersionPaths
from groundkit_index.lexical import integrity

_NAME = "lexical index"
_HELD = "select chunk_key from chunks"
_WAITING = "select chunk_key from outbox where seq > (select acked from consumers where name=?)"


def check_lexical(version: VersionPaths) -> Check:
    """Check the files' checksums, and that index and catalog hold the same chunks."""
    return steady_check(_NAME, version, lambda reader: _faults(version, reader))


def _faults(version: VersionPaths, reader: CatalogReader) -> Iterator[str]:
    damaged = list(integrity.damaged_files(version.lexical))
    yield from (f"file {name} is damaged" for name in damaged)
    if damaged:
        return
    held, waiting = reader.read(
        lambda connection: (
            {key for (key,) in connection.execute(_HELD)},
            {key for (key,) in connection.execute(_WAITING, (LEXICAL,))},
        )
    )
    indexed = integrity.keys(version.lexical, max(held, default=0))
    yield from (f"chunk {key} is not indexed" for key in sorted(held - indexed - waiting))
    yield from (f"chunk {key} is indexed but gone" for key in sorted(indexed - held - waiting))
