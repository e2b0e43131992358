"""Runs every check on a collection, and mends what is derived when asked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from groundkit_core.contracts import DoctorReport, Examination
from groundkit_index.doctor.catalog import check_catalog
from groundkit_index.doctor.check import Check, checked
from groundkit_index.doctor.lexical import check_lexical
from groundkit_index.layout import CollectionPaths, VersionPaths
from groundkit_index.lock import try_exclusive, writer_lock
from groundkit_index.versions import prune
from groundkit_index.writer import VersionWriter


def check_version(version: VersionPaths) -> list[Check]:
    """Return the checks of one version."""
    return [check_catalog(version), check_lexical(version)]


def examine(
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    repair: bool = False,
    wait: float = 60.0,
) -> DoctorReport:
    """Check a collection.

    Args:
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        repair: make damaged derived indexes again and remove orphan versions; what is truth
            is never touched.
        wait: seconds that a repair waits for another writer.

    Raises:
        CollectionNotFoundError: there is no such collection.
    """
    paths = CollectionPaths.of(index_dir, collection)
    version, checks = _check_live(paths)
    repaired: set[str] = set()
    if repair and any(check.faults and check.derived for check in checks):
        before = {check.name for check in checks if check.faults}
        _repair(paths, checks, wait)
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
    )


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


def _repair(paths: CollectionPaths, checks: list[Check], wait: float) -> None:
    faulty = {check.name for check in checks if check.faults}
    with writer_lock(paths.lock, wait=wait):
        live = paths.current()
        if "catalog" in faulty:
            # Another version may be all that is left of the truth.
            return
        if "versions" in faulty:
            prune(paths, keep=live)
            paths.new_current.unlink(missing_ok=True)
        if "lexical index" in faulty:
            shutil.rmtree(live.lexical, ignore_errors=True)
            VersionWriter(live).close()
