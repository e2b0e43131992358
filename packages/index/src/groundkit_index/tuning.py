"""Changes how a collection is ranked and gated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from groundkit_core.contracts import Tuning
from groundkit_core.protocols import Notice
from groundkit_index.layout import CollectionPaths
from groundkit_index.versions import writing


def tune(
    change: Callable[[Tuning], Tuning],
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    wait: float = 60.0,
    notice: Notice | None = None,
) -> Tuning:
    """Change a collection's tuning and return it; readers take it up at their next query.

    Args:
        change: returns the new tuning for the old one.
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        wait: seconds to wait for another writer.
        notice: told when there is something to wait for.

    Raises:
        CollectionNotFoundError: there is no such collection.
        CollectionBusyError: another writer did not finish in time.
    """
    paths = CollectionPaths.of(index_dir, collection)
    paths.current()
    with writing(paths, wait=wait, notice=notice, embed=False) as writer:
        changed = change(writer.catalog.tuning)
        with writer.catalog.batch():
            writer.catalog.set_tuning(changed)
    return changed
