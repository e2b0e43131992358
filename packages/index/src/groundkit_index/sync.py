"""Brings a collection in step with a folder."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from groundkit_core.contracts import DocumentCounts, IngestReport, Refusal, SourceClass
from groundkit_core.errors import RootEmptyError
from groundkit_core.kinds import Kind, kind_of
from groundkit_core.model import SourceFile
from groundkit_core.paths import TRANSIENT
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog.records import KnownDocument, RootRecord
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.changes import Change, Put, Relabel, Remove, Touch
from groundkit_index.guard import check_allowed
from groundkit_index.layout import CollectionPaths
from groundkit_index.moves import Moves
from groundkit_index.options import IngestOptions
from groundkit_index.origins import is_folder, origin_of
from groundkit_index.origins.scanning import scan_root
from groundkit_index.pool import read_files
from groundkit_index.prepared import PreparedDocument
from groundkit_index.reading import Job, Outcome, ReadSettings
from groundkit_index.roots import Target, register_root, resolve_target
from groundkit_index.sources import Scan, classify
from groundkit_index.sources.members import is_member
from groundkit_index.versions import writing
from groundkit_index.writer import VersionWriter

_BATCH_CHARACTERS = 8_000_000
_BATCH_SECONDS = 5.0
_MOST_WORKERS = 4
_SHOWN_SUFFIXES = 8
_NOTHING: frozenset[str] = frozenset()


def ingest(
    path: str | Path,
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    options: IngestOptions | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    stop: Event | None = None,
) -> IngestReport:
    """Bring a collection in step with a folder or file; makes the collection when absent.

    Unchanged files are skipped, changed, moved and removed ones reflected, and a file that
    cannot be indexed is refused with a reason while the rest goes on.

    Args:
        path: a folder or a file.
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        options: how to ingest.
        progress: told how far it is.
        notice: told when there is something to wait for.
        stop: set it to end early; the batch under way is finished and reported.

    Raises:
        SourceError: the path cannot be ingested; nothing was changed.
        RootEmptyError: the folder is empty but held documents; nothing was removed.
        StorageError: the index cannot be written; what was committed before stays.
    """
    chosen = options or IngestOptions()
    started = time.perf_counter()
    target = resolve_target(path)
    check_allowed(chosen.allow_secrets)
    paths = CollectionPaths.of(index_dir, collection)
    target.check_not_index(paths.index_dir)
    with writing(
        paths,
        language=chosen.language,
        chunking=chosen.chunking,
        wait=chosen.lock_wait,
        notice=notice,
    ) as writer:
        run = Sync(writer, chosen, progress, stop)
        run.target(target)
        return run.report(paths.name, started)


@dataclass(slots=True)
class _Labels:
    """Decides project and source class of a source from what was set for its root."""

    scopes: dict[str, tuple[str | None, SourceClass | None]]

    def of(self, source: str, kind: Kind) -> tuple[SourceClass, str]:
        project: str | None = None
        source_class: SourceClass | None = None
        for scope in sorted(self.scopes, key=len):
            if not scope or source == scope or source.startswith(f"{scope}/"):
                project = self.scopes[scope][0] or project
                source_class = self.scopes[scope][1] or source_class
        return source_class or classify(source, kind), project or "default"


class Sync:
    """Brings a version in step with targets, and counts what it did."""

    def __init__(
        self,
        writer: VersionWriter,
        options: IngestOptions,
        progress: Progress | None = None,
        stop: Event | None = None,
    ) -> None:
        self._writer = writer
        self._stop = stop or Event()
        self._options = options
        self._progress = progress
        self.counts: dict[str, int] = defaultdict(int)
        self.refusals: list[tuple[str, str]] = []
        self.skipped: dict[str, int] = defaultdict(int)
        self.notes: list[str] = []
        self._hidden: list[int] = []

    def target(self, target: Target) -> None:
        """Find or register the root of a target and bring it in step."""
        self._record_exceptions()
        registration = register_root(self._writer, target, self._scan)
        self.notes += registration.notes
        self.root(registration.root, registration.scope, registration.scan)

    def _record_exceptions(self) -> None:
        new = check_allowed(self._options.allow_secrets) - self._writer.catalog.allowed_secrets
        if new:
            with self._writer.batch() as catalog:
                catalog.allow_secrets(new)

    def root(self, root: RootRecord, scope: str, scan: Scan | None = None) -> None:
        """Bring the part `scope` of a registered root in step.

        Raises:
            RootEmptyError: there is nothing now but there was; nothing was removed.
        """
        catalog = self._writer.catalog
        if scan is None:
            scan = self._scan(root.path, scope)
        self._note_skipped(scan)
        scan = self._with_named_parts(root, scope, scan)
        known = catalog.known_documents(root, scope)
        if known and not scan.files and not scan.refused and not self._options.allow_empty:
            raise RootEmptyError(
                f"{root.name!r} holds no documents now but {len(known)} are indexed; nothing was "
                "removed. Check that the disk is mounted, or pass --allow-empty"
            )
        self._labels = self._set_labels(catalog, root, scope)
        self.refuse(scan.refused)
        origin = origin_of(root.path, self._writer.version.snapshots)
        self._moves = Moves(origin, self._options.max_file_bytes)
        self._known = known
        self._moves.vanished(self._vanished(known, scan))
        jobs = list(self._jobs(scan, known))
        self._read_and_write(root, jobs)
        if not self._stop.is_set():
            self._remove_rest()

    def report(self, collection: str, started: float) -> IngestReport:
        """Return what was done since `started`, a `time.perf_counter` value."""
        catalog = self._writer.catalog
        return IngestReport(
            collection=collection,
            generation=catalog.generation,
            documents=DocumentCounts(**self.counts),
            chunks=catalog.counts[1],
            refusals=tuple(Refusal(source=s, reason=r) for s, r in sorted(self.refusals)),
            skipped=dict(self.skipped),
            notes=(*self.notes, *self._hidden_note(), *self._writer.notes),
            seconds=round(time.perf_counter() - started, 3),
            interrupted=self._stop.is_set(),
        )

    def _with_named_parts(self, root: RootRecord, scope: str, scan: Scan) -> Scan:
        """Add what was named on its own, such as a hidden folder that the scan passes over."""
        if not is_folder(root.path):
            return scan
        present = {file.source for file in scan.files}
        files, unlisted = list(scan.files), set(scan.unlisted)
        for part in self._writer.catalog.scopes(root):
            below = part != scope and (not scope or part.startswith(f"{scope}/"))
            if not below or not (Path(root.path) / part).exists():
                continue
            named = self._scan(root.path, part)
            unlisted.update(named.unlisted)
            for file in named.files:
                if file.source not in present:
                    present.add(file.source)
                    files.append(file)
        files.sort(key=lambda file: file.source)
        return replace(scan, files=tuple(files), unlisted=tuple(sorted(unlisted)))

    def _note_skipped(self, scan: Scan) -> None:
        for reason, number in scan.skipped.items():
            self.skipped[reason] += number
        if scan.unsupported:
            most = sorted(scan.unsupported.items(), key=lambda item: (-item[1], item[0]))
            kinds = ", ".join(f"{number} {suffix}" for suffix, number in most[:_SHOWN_SUFFIXES])
            self.notes.append(f"not indexed, type not supported: {kinds}")

    def _scan(self, root: str, scope: str) -> Scan:
        snapshots = self._writer.version.snapshots
        return scan_root(root, snapshots, scope, max_bytes=self._options.max_file_bytes)

    def _set_labels(self, catalog: CatalogWriter, root: RootRecord, scope: str) -> _Labels:
        scopes = catalog.scopes(root)
        before = scopes.get(scope, (None, None))
        now = (self._options.project or before[0], self._options.source_class or before[1])
        if scope not in scopes or now != before:
            scopes[scope] = now
            with catalog.batch():
                catalog.set_scope(root, scope, *now)
        return _Labels(scopes)

    def refuse(self, refused: Iterable[tuple[str, str]]) -> None:
        """Count documents that cannot be had, each with its reason."""
        refused = tuple(refused)
        self.refusals += refused
        self.counts["refused"] += len(refused)

    def _vanished(self, known: dict[str, KnownDocument], scan: Scan) -> list[KnownDocument]:
        present = {file.source for file in scan.files}
        return [
            document
            for source, document in known.items()
            if source not in present and not scan.is_unlisted(source)
        ]

    def _jobs(self, scan: Scan, known: dict[str, KnownDocument]) -> Iterator[Job]:
        """Yield the files that must be read; the others are counted as unchanged."""
        links = Counter(file.signature.inode for file in scan.files if not is_member(file.source))
        for file in scan.files:
            kind = file.kind or kind_of(file.source)
            if kind is None:
                continue
            source_class, project = self._labels.of(file.source, kind)
            before = known.get(file.source)
            if before and self._is_unchanged(file, before, (source_class, project)):
                self.counts["unchanged"] += 1
                continue
            if before:
                self._moves.changed(before)
            sha256 = before.sha256 if before else None
            yield Job(
                file.source,
                file.signature.size,
                kind,
                source_class,
                project,
                max(links[file.signature.inode], 1),
                sha256,
            )

    def _is_unchanged(
        self, file: SourceFile, before: KnownDocument, labels: tuple[SourceClass, str]
    ) -> bool:
        looks_same = before.signature == file.signature
        same_labels = (before.source_class, before.project) == labels
        return looks_same and same_labels and not self._options.checksum

    def _read_and_write(self, root: RootRecord, jobs: list[Job]) -> None:
        # New files first: what stood at the place of a changed file may have moved to one.
        jobs.sort(key=lambda job: job.sha256 is not None)
        settings = ReadSettings(
            root=root.path,
            snapshots=str(self._writer.version.snapshots),
            max_bytes=self._options.max_file_bytes,
            detect=self._options.detect_encoding,
            chunking=self._writer.chunking,
            language=str(self._writer.catalog.settings["language"]),
            allowed=self._writer.catalog.allowed_secrets,
            held=self._moves.digests,
        )
        changes = self._changes(jobs, settings)
        exhausted = False
        while not exhausted:
            with self._writer.batch():
                exhausted = self._fill_batch(root, changes)

    def _fill_batch(self, root: RootRecord, changes: Iterator[Change]) -> bool:
        characters, started = 0, time.monotonic()
        for change in changes:
            if self._stop.is_set():
                return True
            characters += change.apply(self._writer, root, self.counts)
            if characters > _BATCH_CHARACTERS or time.monotonic() - started > _BATCH_SECONDS:
                return False
        return True

    def _changes(self, jobs: list[Job], settings: ReadSettings) -> Iterator[Change]:
        workers = self._options.workers or min(os.cpu_count() or 1, _MOST_WORKERS)
        for done, (job, outcome) in enumerate(read_files(jobs, settings, workers), 1):
            change = self._change(job, outcome, self._known.get(job.source), settings)
            if change is not None:
                yield change
            if self._progress:
                self._progress("ingest", done, len(jobs))

    def _change(
        self, job: Job, outcome: Outcome, before: KnownDocument | None, settings: ReadSettings
    ) -> Change | None:
        labels = (job.source_class, job.project)
        if outcome.signature and before and outcome.sha256 == before.sha256:
            if (before.source_class, before.project) == labels:
                return Touch(before, outcome.signature)
            return Relabel(before, job.source, *labels, outcome.signature, count="updated")
        moved = self._moved(job, outcome) if before is None else None
        if outcome.signature and moved and moved.kind == job.kind.name:
            return Relabel(moved, job.source, *labels, outcome.signature, count="moved")
        if outcome.document is None and outcome.refusal is None:
            ((_, outcome),) = read_files([job], replace(settings, held=_NOTHING), 1)
        if outcome.refusal is not None or outcome.document is None:
            return self._refused(job, before, *(outcome.refusal or ("io_error", "io_error")))
        self._note(job, outcome.document)
        if moved:
            return Put(outcome.document, moved, count="moved")
        return Put(outcome.document, before, count="updated" if before else "added")

    def _note(self, job: Job, document: PreparedDocument) -> None:
        self.notes += [f"{job.source}: {note}" for note in document.notes]
        if document.hidden:
            self._hidden.append(document.hidden)

    def _hidden_note(self) -> list[str]:
        if not self._hidden:
            return []
        characters, documents = sum(self._hidden), len(self._hidden)
        return [f"hidden text was left out: {characters:,} characters in {documents} documents"]

    def _moved(self, job: Job, outcome: Outcome) -> KnownDocument | None:
        moved = self._moves.take(job.source, outcome.sha256)
        if moved is not None:
            self._known.pop(moved.source, None)
        return moved

    def _refused(
        self, job: Job, before: KnownDocument | None, reason: str, message: str
    ) -> Change | None:
        self.refusals.append((job.source, message))
        self.counts["refused"] += 1
        return Remove(before) if before and reason not in TRANSIENT else None

    def _remove_rest(self) -> None:
        gone = self._moves.left()
        if gone:
            with self._writer.batch() as catalog:
                for document in gone:
                    catalog.remove_document(document)
            self.counts["removed"] += len(gone)
