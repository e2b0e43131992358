"""Keeps a collection in step with a folder while it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

from watchfiles import Change, watch

from groundkit_core.contracts import IngestReport
from groundkit_core.errors import GroundkitError
from groundkit_core.protocols import Notice
from groundkit_index.layout import CollectionPaths
from groundkit_index.options import IngestOptions
from groundkit_index.roots import resolve_target
from groundkit_index.sync import ingest

_QUIET_MS = 400
_LONGEST_BURST_MS = 5_000
_TIMEOUT_MS = 1_000
_IGNORED_FOLDERS = frozenset({".git", ".groundkit"})


def keep_in_step(
    path: str | Path,
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    options: IngestOptions | None = None,
    notice: Notice | None = None,
    stop: Event | None = None,
) -> Iterator[IngestReport]:
    """Ingest a folder, then again after each burst of changes; yields the reports.

    A burst ends after 0.4 s without a change, or after 5 s. An ingest that fails later is told
    to `notice`, and the next change tries again.

    Args:
        path: the folder or file to watch.
        index_dir: the folder that holds the collections; changes in it are not seen.
        collection: the collection's name.
        options: how the folder is ingested.
        notice: told one line when an ingest fails.
        stop: set it to end the watch.

    Raises:
        GroundkitError: the first ingest failed.
    """
    target = resolve_target(path)
    index = CollectionPaths.of(index_dir, collection).index_dir.resolve()

    def run() -> IngestReport:
        return ingest(
            path, index_dir=index_dir, collection=collection, options=options, notice=notice
        )

    yield run()
    changes = watch(
        target.folder,
        watch_filter=_relevant(target.folder, index),
        debounce=_LONGEST_BURST_MS,
        step=_QUIET_MS,
        stop_event=stop,
        rust_timeout=_TIMEOUT_MS,
        yield_on_timeout=True,
    )
    started = False
    for change in changes:
        # What changed before the watch began is not told; the first time-out catches it.
        if started and not change:
            continue
        started = True
        try:
            yield run()
        except GroundkitError as error:
            if notice:
                notice(f"{error}; watching on")


def _relevant(folder: Path, index: Path) -> Callable[[Change, str], bool]:
    def relevant(_change: Change, changed: str) -> bool:
        path = Path(changed)
        if path == index or index in path.parents:
            return False
        try:
            parts = path.relative_to(folder).parts
        except ValueError:
            return False
        return not _IGNORED_FOLDERS.intersection(parts)

    return relevant
