"""Takes documents or a whole collection out of an index."""

from __future__ import annotations

import shutil
from pathlib import Path

from groundkit_core.contracts import RemovalReport
from groundkit_core.errors import NotFoundError
from groundkit_core.protocols import Notice
from groundkit_index.catalog.records import KnownDocument, RootRecord
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import CURRENT, CollectionPaths
from groundkit_index.lock import writer_lock
from groundkit_index.origins import is_folder
from groundkit_index.versions import writing


def remove(
    path: str,
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    wait: float = 60.0,
    notice: Notice | None = None,
) -> RemovalReport:
    """Remove the documents at or below a path from the index; the files stay.

    Args:
        path: a path on disk, which need not exist any more, or a source as citations name it.
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        wait: seconds to wait for another writer.
        notice: told when there is something to wait for.

    Raises:
        NotFoundError: nothing is indexed there.
    """
    paths = CollectionPaths.of(index_dir, collection)
    paths.current()
    with writing(paths, wait=wait, notice=notice) as writer:
        catalog = writer.catalog
        matches = _matches(catalog, path)
        if not any(documents for _, _, documents in matches):
            raise NotFoundError(
                "no document is indexed at that path; `groundkit status` lists the roots"
            )
        removed = 0
        with writer.batch():
            for root, scope, documents in matches:
                for document in documents:
                    catalog.remove_document(document)
                removed += len(documents)
                if scope:
                    catalog.remove_scopes(root, scope)
                if not catalog.known_documents(root):
                    catalog.remove_root(root)
        return RemovalReport(
            collection=paths.name,
            generation=catalog.generation,
            removed=removed,
            chunks=catalog.counts[1],
        )


_Match = tuple[RootRecord, str, list[KnownDocument]]


def _matches(catalog: CatalogWriter, path: str) -> list[_Match]:
    """Return, by root, the part of it that a path names and the documents of that part."""
    roots = catalog.roots()
    absolute = Path(path).expanduser().absolute()
    parts = [
        (root, scope)
        for root in roots
        if is_folder(root.path)
        and (scope := _scope(Path(root.path), {absolute, absolute.resolve()})) is not None
    ]
    found = _with_documents(catalog, parts)
    source = path.strip("/")
    if not any(documents for _, _, documents in found) and source:
        found = _with_documents(catalog, [(root, source) for root in roots])
    return found


def _with_documents(catalog: CatalogWriter, parts: list[tuple[RootRecord, str]]) -> list[_Match]:
    return [
        (root, scope, list(catalog.known_documents(root, scope).values())) for root, scope in parts
    ]


def _scope(folder: Path, places: set[Path]) -> str | None:
    for place in places:
        if place == folder or place in folder.parents:
            return ""
        if folder in place.parents:
            return place.relative_to(folder).as_posix()
    return None


def remove_collection(
    name: str,
    *,
    index_dir: str | Path = ".groundkit",
    wait: float = 60.0,
    notice: Notice | None = None,
) -> None:
    """Delete a whole collection.

    Raises:
        CollectionNotFoundError: there is no such collection.
    """
    paths = CollectionPaths.of(index_dir, name)
    paths.current()
    with writer_lock(paths.lock, wait=wait, notice=notice):
        (paths.folder / CURRENT).unlink(missing_ok=True)
        shutil.rmtree(paths.folder)
