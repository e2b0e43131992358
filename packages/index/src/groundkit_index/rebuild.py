"""Fills a new version beside the serving one and switches to it."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundkit_core.contracts import IngestReport, Tuning
from groundkit_core.errors import (
    CorruptIndexError,
    RootEmptyError,
    RootMissingError,
    StorageError,
)
from groundkit_core.model import ChunkSettings
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog.records import RootRecord
from groundkit_index.catalog.schema import LEXICAL, VECTORS
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.doctor import check_version
from groundkit_index.layout import CollectionPaths, VersionPaths
from groundkit_index.lock import writer_lock
from groundkit_index.options import IngestOptions
from groundkit_index.origins import is_reachable
from groundkit_index.sync import Sync
from groundkit_index.vectors.needs import need_vectors
from groundkit_index.versions import create_version, fixed_settings, prune
from groundkit_index.writer import VersionWriter

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings


def rebuild(
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    options: IngestOptions | None = None,
    strict: bool = False,
    embedder: EmbedderSettings | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> IngestReport:
    """Read every root again into a new version, check it, and make it the live one.

    Readers go on with the old version and take up the new one by themselves. Documents keep
    their ids. When anything fails, the old version stays the live one.

    Args:
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        options: language and chunk sizes of the new version; None keeps those of the old one.
        strict: do not switch when a document was refused.
        embedder: bind the new version to this embedder; None keeps the old one's, if any.
        progress: told how far it is.
        notice: told when there is something to wait for.

    Raises:
        CollectionNotFoundError: there is no such collection.
        RootMissingError: a root cannot be reached, so its documents would be lost.
        StorageError: a document was refused and `strict` is set, or the check found faults.
    """
    chosen = options or IngestOptions()
    started = time.perf_counter()
    paths = CollectionPaths.of(index_dir, collection)
    paths.current()
    with writer_lock(paths.lock, wait=chosen.lock_wait, notice=notice):
        old, new = paths.current(), paths.next_version()
        try:
            report = _fill(old, new, paths.name, chosen, embedder, progress, started)
            if strict:
                _check_refusals(report)
            _check(new)
            paths.set_current(new)
        except BaseException:
            shutil.rmtree(new.folder, ignore_errors=True)
            raise
        prune(paths, keep=new)
    return report


def _fill(
    old: VersionPaths,
    new: VersionPaths,
    collection: str,
    options: IngestOptions,
    embedder: EmbedderSettings | None,
    progress: Progress | None,
    started: float,
) -> IngestReport:
    before = CatalogWriter(old.catalog)
    try:
        roots = before.roots()
        _check_reachable(before, roots, old.snapshots)
        create_version(new, _settings(before, options), generation=before.generation)
        if old.snapshots.is_dir():
            shutil.copytree(old.snapshots, new.snapshots, copy_function=_link_or_copy)
        embedding = _embedding(before, embedder)
        with VersionWriter(new, older=old if embedder is None else None) as writer:
            if embedding is not None:
                _bind(writer, embedding)
            run = Sync(writer, replace(options, project=None, source_class=None), progress)
            writer.catalog.keep_ids(_ids(before, roots))
            with writer.batch() as catalog:
                catalog.allow_secrets(before.allowed_secrets)
                catalog.set_tuning(_tuning(before, embedder))
            for root in roots:
                _fill_root(run, writer, before, root)
            return run.report(collection, started)
    finally:
        before.close()


def _link_or_copy(origin: str, target: str) -> None:
    """What was fetched is replaced and never written to, so two versions can share it."""
    try:
        os.link(origin, target)
    except OSError:
        shutil.copy2(origin, target)


def _embedding(before: CatalogWriter, chosen: EmbedderSettings | None) -> dict[str, Any] | None:
    if chosen is None:
        return before.embedding
    need_vectors()
    from groundkit_index.embedders import make_embedder
    from groundkit_index.vectors.binding import Binding

    return Binding(make_embedder(chosen).identity, chosen).to_manifest()


def _tuning(before: CatalogWriter, chosen: EmbedderSettings | None) -> Tuning:
    """Return what stays: thresholds that were chosen on the old vectors do not."""
    tuning = before.tuning
    if chosen is None:
        return tuning
    kept = {mode: found for mode, found in tuning.calibrations.items() if mode == "lexical"}
    return tuning.model_copy(update={"calibrations": kept})


def _bind(writer: VersionWriter, embedding: dict[str, Any]) -> None:
    with writer.catalog.batch():
        writer.catalog.set_embedding(embedding)
        writer.catalog.outbox.add_consumer(VECTORS, LEXICAL)


def _check_reachable(catalog: CatalogWriter, roots: list[RootRecord], snapshots: Path) -> None:
    for root in roots:
        if not is_reachable(root.path, snapshots):
            count = len(catalog.known_documents(root))
            raise RootMissingError(
                f"root {root.name!r} cannot be reached, and a rebuild would lose its {count} "
                "documents; bring it back, or take it out with `groundkit remove`"
            )


def _settings(before: CatalogWriter, options: IngestOptions) -> dict[str, str | int]:
    fixed = before.settings
    sizes = options.chunking or ChunkSettings(
        int(fixed["chunk_target"]), int(fixed["chunk_cap"]), int(fixed["chunk_overlap"])
    )
    return fixed_settings(options.language or str(fixed["language"]), sizes)


def _ids(before: CatalogWriter, roots: list[RootRecord]) -> dict[tuple[str, str], str]:
    return {
        (root.name, source): document.document_id
        for root in roots
        for source, document in before.known_documents(root).items()
    }


def _fill_root(run: Sync, writer: VersionWriter, before: CatalogWriter, root: RootRecord) -> None:
    scopes = before.scopes(root)
    with writer.batch() as catalog:
        copy = catalog.add_root(root.path, root.name)
        for scope, labels in scopes.items():
            catalog.set_scope(copy, scope, *labels)
    for scope in [""] if "" in scopes else sorted(scopes):
        run.root(copy, scope)
    known = before.known_documents(root)
    if known and not writer.catalog.known_documents(copy) and not run.refusals:
        raise RootEmptyError(
            f"root {root.name!r} holds no documents now but {len(known)} are indexed; the old "
            "version stays. Check that the disk is mounted, or take it out with `groundkit remove`"
        )


def _check_refusals(report: IngestReport) -> None:
    if report.refusals:
        first = report.refusals[0]
        raise StorageError(
            f"{len(report.refusals)} documents were refused, so the new version was not taken "
            f"(first: {first.source}: {first.reason}); drop --strict or mend them"
        )


def _check(version: VersionPaths) -> None:
    faults = [fault for check in check_version(version) for fault in check.faults]
    if faults:
        raise CorruptIndexError(
            f"the new version failed its check ({faults[0]}); the old one still serves"
        )
