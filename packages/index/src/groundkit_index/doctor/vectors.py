"""Checks of the vectors against the catalog, and of their two copies against each other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from groundkit_core.errors import StorageError
from groundkit_index.catalog import queries
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.doctor.check import Check
from groundkit_index.doctor.steady import steady_check
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.needs import need_vectors

VECTORS_CHECK = "vectors"
_MANIFEST = "slab.json"


def check_vectors(version: VersionPaths) -> Check | None:
    """Check the vectors; None for a collection that has none, which imports nothing for it."""
    try:
        with contextlib.closing(CatalogReader(version.catalog)) as reader:
            bound = reader.read(queries.embedding)
    except StorageError:
        # The check of the catalog says so.
        return None
    if bound is None:
        return None
    return steady_check(
        VECTORS_CHECK,
        version,
        lambda reader: _faults(version, reader),
        version.slab / _MANIFEST,
    )


def _faults(version: VersionPaths, reader: CatalogReader) -> Iterator[str]:
    need_vectors()
    from groundkit_index.doctor.vector_faults import vector_faults

    if any(version.folder.glob(f"{version.salvage.name}*")):
        yield "a repair was interrupted"
    yield from vector_faults(version, reader)
