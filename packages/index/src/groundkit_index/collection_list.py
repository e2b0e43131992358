"""The collections of an index directory."""

from __future__ import annotations

import contextlib
from pathlib import Path

from groundkit_core.contracts import CollectionList, CollectionSummary
from groundkit_core.errors import StorageError
from groundkit_index.catalog.queries import counts, manifest_value
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.layout import CollectionPaths, collection_names


def list_collections(index_dir: str | Path = ".groundkit") -> CollectionList:
    """Return the collections of an index directory by name; one that cannot be read is left out."""
    return CollectionList(
        collections=tuple(
            summary
            for name in collection_names(index_dir)
            if (summary := _summary(CollectionPaths.of(index_dir, name))) is not None
        )
    )


def _summary(paths: CollectionPaths) -> CollectionSummary | None:
    try:
        with contextlib.closing(CatalogReader(paths.current().catalog)) as reader:
            documents, chunks, generation = reader.read(
                lambda c: (*counts(c), int(manifest_value(c, "generation")))
            )
    except StorageError:
        return None
    return CollectionSummary(
        name=paths.name, documents=documents, chunks=chunks, generation=generation
    )
