"""Runs every check on a collection, and mends what is derived when asked."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from groundkit_core.contracts import DoctorReport, Examination
from groundkit_core.errors import StorageError
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog import inventory
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.doctor.catalog import check_catalog
from groundkit_index.doctor.check import Check, checked
from groundkit_index.doctor.lexical import check_lexical
from groundkit_index.doctor.vectors import VECTORS_CHECK, check_vectors
from groundkit_index.layout import CollectionPaths, VersionPaths
from groundkit_index.lock import try_exclusive, writer_lock


def check_version(version: VersionPaths) -> list[Check]:
    """Return the checks of one version; vectors are checked where it is bound to an embedder."""
    checks = (check_catalog(version), check_lexical(version), check_vectors(version))
    return [check for check in checks if check is not None]


def examine(
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    repair: bool = False,
    wait: float = 60.0,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> DoctorReport:
    """Check a collection.

    Args:
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        repair: make damaged derived indexes again and remove orphan versions; what is truth
            is never touched.
        wait: seconds that a repair waits for another writer.
        progress: told how far a repair is that must embed.
        notice: told what a person should know, such as a download.

    Raises:
        CollectionNotFoundError: there is no such collection.
    """
    paths = CollectionPaths.of(index_dir, collection)
    version, checks = _check_live(paths)
    repaired: set[str] = set()
    note = None
    if repair and any(check.faults and check.derived for check in checks):
        before = {check.name for check in checks if check.faults}
        note = _repair(paths, checks, wait, progress, notice)
        version, checks = _check_live(paths)
        repaired = before - {check.name for check in checks if check.faults}
    return DoctorReport(
        collection=paths.name,
        version=version.name,
        healthy=not any(check.faults for check in checks),
        checks=tuple(
            Examination(
                name=check.name,
                ok=not check.faults,
                faults=check.faults,
                repaired=check.name in repaired,
            )
            for check in checks
        ),
        notes=tuple(filter(None, [note or _waiting(version)])),
    )


def _waiting(version: VersionPaths) -> str | None:
    """Return a line on changes that wait for their vectors."""
    try:
        with contextlib.closing(CatalogReader(version.catalog)) as reader:
            number = reader.read(inventory.facts).pending_vectors
    except StorageError:
        return None
    return f"{number} changes wait for their vectors; run `groundkit embed`" if number else None


def _check_live(paths: CollectionPaths) -> tuple[VersionPaths, list[Check]]:
    """Check the live version, and again when a rebuild replaced it meanwhile."""
    while True:
        version = paths.current()
        checks = [*check_version(version), _check_versions(paths, version)]
        if paths.current() == version:
            return version, checks


def _check_versions(paths: CollectionPaths, live: VersionPaths) -> Check:
    faults = []
    with try_exclusive(paths.lock) as idle:
        # A writer at work may be filling a version, or switching to it.
        if idle:
            faults = list(_left_behind(paths, live))
    return checked("versions", faults, derived=True)


def _left_behind(paths: CollectionPaths, live: VersionPaths) -> Iterator[str]:
    for version in paths.versions():
        if version.name != live.name:
            with try_exclusive(version.in_use) as free:
                if free:
                    yield f"version {version.name} is an orphan"
    if paths.new_current.exists():
        yield f"{paths.new_current.name} was left by an interrupted switch"


def _repair(
    paths: CollectionPaths,
    checks: list[Check],
    wait: float,
    progress: Progress | None,
    notice: Notice | None,
) -> str | None:
    """Mend what is derived; return a line on what could not be done, or None."""
    # Only a repair needs what opens a collection for writing.
    from groundkit_index.versions import prune
    from groundkit_index.writer import VersionWriter

    faulty = {check.name for check in checks if check.faults}
    with writer_lock(paths.lock, wait=wait, notice=notice):
        live = paths.current()
        if "catalog" in faulty:
            # Another version may be all that is left of the truth.
            return None
        if "versions" in faulty:
            prune(paths, keep=live)
            paths.new_current.unlink(missing_ok=True)
        if "lexical index" in faulty:
            shutil.rmtree(live.lexical, ignore_errors=True)
            VersionWriter(live, embed=False).close()
        if VECTORS_CHECK in faulty:
            from groundkit_index.doctor.vector_repair import repair_vectors

            with VersionWriter(live, embed=False) as writer:
                return repair_vectors(writer, progress, notice)
        return None
