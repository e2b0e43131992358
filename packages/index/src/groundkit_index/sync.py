"""Brings a collection in step with a folder."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from groundkit_core.contracts import DocumentCounts, IngestReport, Refusal, SourceClass
from groundkit_core.errors import DocumentRefusedError, RootEmptyError
from groundkit_core.kinds import Kind, kind_of
from groundkit_core.model import FileSignature, SourceFile
from groundkit_core.paths import read_beneath
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog.records import KnownDocument, RootRecord
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import CollectionPaths
from groundkit_index.options import IngestOptions
from groundkit_index.prepare import digest, prepare
from groundkit_index.prepared import PreparedDocument
from groundkit_index.roots import Target, register_root, resolve_target
from groundkit_index.sources import FolderSource, Scan, classify
from groundkit_index.writer import IndexWriter

_BATCH_CHARACTERS = 8_000_000
_BATCH_SECONDS = 5.0
_RACY_NS = 50_000_000
_TRANSIENT = frozenset({"changed_while_read", "io_error", "permission"})


def ingest(
    path: str | Path,
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    options: IngestOptions | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> IngestReport:
    """Bring a collection in step with a folder or file; makes the collection when absent.

    Unchanged files are skipped, changed, moved and removed ones reflected, and a file that
    cannot be indexed is refused with a reason while the rest goes on.

    Raises:
        SourceError: the path cannot be ingested; nothing was changed.
        RootEmptyError: the folder is empty but held documents; nothing was removed.
        StorageError: the index cannot be written; what was committed before stays.
    """
    chosen = options or IngestOptions()
    started = time.perf_counter()
    target = resolve_target(path)
    paths = CollectionPaths.of(index_dir, collection)
    target.check_not_index(paths.index_dir)
    with IndexWriter(
        paths,
        language=chosen.language,
        chunking=chosen.chunking,
        wait=chosen.lock_wait,
        notice=notice,
    ) as writer:
        run = _Run(writer, target, chosen, progress)
        run.execute()
        return IngestReport(
            collection=paths.name,
            generation=writer.catalog.generation,
            documents=DocumentCounts(**run.counts),
            chunks=writer.catalog.counts[1],
            refusals=tuple(Refusal(source=s, reason=r) for s, r in sorted(run.refusals)),
            skipped=run.skipped,
            notes=tuple(run.notes),
            seconds=round(time.perf_counter() - started, 3),
        )


@dataclass(slots=True)
class _Labels:
    """Decides project and source class of a source from what was set for its root."""

    overrides: dict[str, tuple[str | None, SourceClass | None]]

    def of(self, source: str, kind: Kind) -> tuple[SourceClass, str]:
        project: str | None = None
        source_class: SourceClass | None = None
        for scope in sorted(self.overrides, key=len):
            if not scope or source == scope or source.startswith(f"{scope}/"):
                project = self.overrides[scope][0] or project
                source_class = self.overrides[scope][1] or source_class
        return source_class or classify(source, kind), project or "default"


class _Run:
    """One ingest of one target."""

    def __init__(
        self,
        writer: IndexWriter,
        target: Target,
        options: IngestOptions,
        progress: Progress | None,
    ) -> None:
        self._writer = writer
        self._target = target
        self._options = options
        self._progress = progress
        self.counts: dict[str, int] = defaultdict(int)
        self.refusals: list[tuple[str, str]] = []
        self.skipped: dict[str, int] = {}
        self.notes: list[str] = []

    def execute(self) -> None:
        catalog = self._writer.catalog
        registration = register_root(self._writer, self._target, self._scan)
        root, scope, scan = registration.root, registration.scope, registration.scan
        self.notes += registration.notes
        self.skipped = dict(scan.skipped)
        known = catalog.known_documents(root, scope)
        if known and not scan.files and not scan.refused and not self._options.allow_empty:
            raise RootEmptyError(
                f"{root.name!r} holds no documents now but {len(known)} are indexed; nothing was "
                "removed. Check that the disk is mounted, or pass --allow-empty"
            )
        self._labels = self._set_labels(catalog, root, scope)
        self._refuse_all(scan.refused)
        vanished = self._vanished(known, scan)
        self._moves = defaultdict(list)
        for document in vanished.values():
            self._moves[document.sha256].append(document)
        self._ingest_files(root, scan, known)
        self._remove_rest(vanished)

    def _scan(self, root: Path, scope: str) -> Scan:
        return FolderSource(root, scope=scope, max_bytes=self._options.max_file_bytes).scan()

    def _set_labels(self, catalog: CatalogWriter, root: RootRecord, scope: str) -> _Labels:
        project, source_class = self._options.project, self._options.source_class
        overrides = catalog.overrides(root)
        if project is not None or source_class is not None:
            before = overrides.get(scope, (None, None))
            overrides[scope] = (project or before[0], source_class or before[1])
            with catalog.batch():
                catalog.set_override(root, scope, *overrides[scope])
        return _Labels(overrides)

    def _refuse_all(self, refused: tuple[tuple[str, str], ...]) -> None:
        self.refusals += refused
        self.counts["refused"] += len(refused)

    def _vanished(self, known: dict[str, KnownDocument], scan: Scan) -> dict[str, KnownDocument]:
        present = {file.source for file in scan.files}
        unlisted = tuple(f"{prefix}/" if prefix else "" for prefix in scan.unlisted)
        return {
            source: document
            for source, document in known.items()
            if source not in present and not (unlisted and source.startswith(unlisted))
        }

    def _ingest_files(self, root: RootRecord, scan: Scan, known: dict[str, KnownDocument]) -> None:
        work = self._changes(root, scan, known)
        exhausted = False
        while not exhausted:
            with self._writer.batch() as catalog:
                exhausted = self._fill_batch(catalog, root, work)

    def _fill_batch(
        self, catalog: CatalogWriter, root: RootRecord, work: Iterator[_Change]
    ) -> bool:
        characters, started = 0, time.monotonic()
        for change in work:
            characters += change.apply(catalog, root, self.counts)
            if characters > _BATCH_CHARACTERS or time.monotonic() - started > _BATCH_SECONDS:
                return False
        return True

    def _changes(
        self, root: RootRecord, scan: Scan, known: dict[str, KnownDocument]
    ) -> Iterator[_Change]:
        folder = Path(root.path)
        for done, file in enumerate(scan.files, 1):
            kind = kind_of(file.source)
            if kind is None:
                continue
            labels = self._labels.of(file.source, kind)
            try:
                change = self._change(folder, file, known.get(file.source), kind, labels)
            except DocumentRefusedError as error:
                change = self._refused(file, known.get(file.source), error)
            if change is not None:
                yield change
            if self._progress:
                self._progress("ingest", done, len(scan.files))

    def _change(
        self,
        folder: Path,
        file: SourceFile,
        before: KnownDocument | None,
        kind: Kind,
        labels: tuple[SourceClass, str],
    ) -> _Change | None:
        same_labels = before is not None and (before.source_class, before.project) == labels
        looks_same = before is not None and before.signature == file.signature
        if looks_same and same_labels and not self._options.checksum:
            self.counts["unchanged"] += 1
            return None
        data, signature = read_beneath(folder, file.source, max_bytes=self._options.max_file_bytes)
        signature = _settled(signature)
        checksum = digest(data)
        if before and before.sha256 == checksum:
            if same_labels:
                return _Touch(before, signature)
            return _Relabel(before, file.source, *labels, signature, count="updated")
        moved = self._moves[checksum].pop() if before is None and self._moves[checksum] else None
        if moved and moved.kind == kind.name:
            return _Relabel(moved, file.source, *labels, signature, count="moved")
        document = prepare(
            file.source,
            data,
            signature,
            kind=kind,
            source_class=labels[0],
            project=labels[1],
            chunking=self._writer.chunking,
            detect=self._options.detect_encoding,
        )
        if moved:
            return _Put(document, moved, count="moved")
        return _Put(document, before, count="updated" if before else "added")

    def _refused(
        self, file: SourceFile, before: KnownDocument | None, error: DocumentRefusedError
    ) -> _Change | None:
        self.refusals.append((file.source, str(error)))
        self.counts["refused"] += 1
        if before is None or error.reason in _TRANSIENT:
            return None
        return _Remove(before)

    def _remove_rest(self, vanished: dict[str, KnownDocument]) -> None:
        stay = {d.doc_key for documents in self._moves.values() for d in documents}
        gone = [d for d in vanished.values() if d.doc_key in stay]
        if gone:
            with self._writer.batch() as catalog:
                for document in gone:
                    catalog.remove_document(document)
            self.counts["removed"] += len(gone)


def _settled(signature: FileSignature) -> FileSignature:
    """Return a signature that cannot hide a change within the clock's grain.

    A file that changed just before it was read may change again with the same times; a
    zero time makes every later look read it (as git does with its racy entries).
    """
    if time.time_ns() - max(signature.mtime_ns, signature.ctime_ns) > _RACY_NS:
        return signature
    return FileSignature(signature.size, 0, 0, signature.inode)


class _Change:
    """A change of the catalog; `apply` returns the characters it wrote."""

    def apply(self, catalog: CatalogWriter, root: RootRecord, counts: dict[str, int]) -> int:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _Put(_Change):
    document: PreparedDocument
    before: KnownDocument | None
    count: str

    def apply(self, catalog: CatalogWriter, root: RootRecord, counts: dict[str, int]) -> int:
        catalog.put_document(root, self.document, self.before)
        counts[self.count] += 1
        return self.document.characters


@dataclass(frozen=True, slots=True)
class _Touch(_Change):
    before: KnownDocument
    signature: FileSignature

    def apply(self, catalog: CatalogWriter, root: RootRecord, counts: dict[str, int]) -> int:
        catalog.touch_document(self.before, self.signature)
        counts["unchanged"] += 1
        return 0


@dataclass(frozen=True, slots=True)
class _Relabel(_Change):
    before: KnownDocument
    source: str
    source_class: SourceClass
    project: str
    signature: FileSignature
    count: str

    def apply(self, catalog: CatalogWriter, root: RootRecord, counts: dict[str, int]) -> int:
        catalog.relabel_document(
            self.before, root, self.source, self.source_class, self.project, self.signature
        )
        counts[self.count] += 1
        return 0


@dataclass(frozen=True, slots=True)
class _Remove(_Change):
    before: KnownDocument

    def apply(self, catalog: CatalogWriter, root: RootRecord, counts: dict[str, int]) -> int:
        catalog.remove_document(self.before)
        counts["removed"] += 1
        return 0
