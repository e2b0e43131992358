from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.embedding_server import reply, server

from groundkit_core.contracts import DoctorReport, IngestReport, SearchHit
from groundkit_index import CollectionPaths, IngestOptions, ingest
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.doctor import examine
from groundkit_index.rebuild import rebuild
from groundkit_retrieval import Collection

__all__ = ["reply", "server"]

_GRAIN_SECONDS = 0.06


@dataclass
class Workspace:
    """A folder of documents and an index of it."""

    folder: Path
    index: Path
    _open: list[Collection] = field(default_factory=list)

    def write(self, source: str, text: str | bytes) -> Path:
        path = self.folder / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def write_all(self, texts: dict[str, str]) -> None:
        for source, text in texts.items():
            self.write(source, text)

    def ingest(self, path: str | Path | None = None, **options: Any) -> IngestReport:
        return ingest(path or self.folder, index_dir=self.index, options=IngestOptions(**options))

    def counts(self, path: str | Path | None = None, **options: Any) -> dict[str, int]:
        """Ingest, and return the counts that are not zero."""
        return nonzero(self.ingest(path, **options))

    def rebuild(self, *, strict: bool = False, **options: Any) -> IngestReport:
        return rebuild(index_dir=self.index, strict=strict, options=IngestOptions(**options))

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        return examine(index_dir=self.index, repair=repair)

    def faults(self) -> dict[str, tuple[str, ...]]:
        """Return the faults that the doctor finds, by check."""
        return {check.name: check.faults for check in self.doctor().checks if check.faults}

    @property
    def paths(self) -> CollectionPaths:
        return CollectionPaths.of(self.index, "default")

    @property
    def catalog(self) -> Path:
        return self.paths.current().catalog

    @property
    def lexical(self) -> Path:
        return self.paths.current().lexical

    def open(self) -> Collection:
        collection = Collection.open(index_dir=self.index)
        self._open.append(collection)
        return collection

    def find(self, query: str, **options: Any) -> tuple[SearchHit, ...]:
        with Collection.open(index_dir=self.index) as collection:
            return collection.search(query, **options).results

    def found(self, query: str, **options: Any) -> list[str]:
        """Return the sources that a search finds, sorted."""
        return sorted({hit.citation.source for hit in self.find(query, **options)})

    def documents(self) -> dict[str, str]:
        """Return source -> document id."""
        with Collection.open(index_dir=self.index) as collection:
            return {entry.source: entry.document_id for entry in collection.sources().sources}

    def chunks(self) -> dict[str, list[ChunkRecord]]:
        """Return the chunks of every document, by source."""
        grouped: dict[str, list[ChunkRecord]] = defaultdict(list)
        with Collection.open(index_dir=self.index) as collection:
            records = collection._reader.chunks()
        for record in records:
            grouped[record.source].append(record)
        return dict(grouped)

    def contents(self) -> dict[str, list[str]]:
        """Return the contents of every document's chunks, by source."""
        return {source: [c.content for c in chunks] for source, chunks in self.chunks().items()}

    def verdicts(self) -> dict[str, int]:
        with Collection.open(index_dir=self.index) as collection:
            return {str(verdict): n for verdict, n in collection.verify().verdicts.items()}

    def command(self, *arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run the real command on this index."""
        return subprocess.run(
            self.arguments(*arguments), capture_output=True, text=True, timeout=120, **options
        )

    def arguments(self, *arguments: str | Path) -> list[str]:
        words = [str(argument) for argument in arguments]
        index = ["--index-dir", str(self.index)]
        return [sys.executable, "-P", "-m", "groundkit_retrieval", words[0], *index, *words[1:]]

    def close(self) -> None:
        for collection in self._open:
            collection.close()


def nonzero(report: IngestReport) -> dict[str, int]:
    return {name: count for name, count in report.documents.model_dump().items() if count}


def settle() -> None:
    """Let the files written so far grow older than the grain of the clock."""
    time.sleep(_GRAIN_SECONDS)


def memory() -> str | None:
    """Return a folder in memory, where syncing costs nothing, or None for the usual one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@contextmanager
def workspace() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory(dir=memory()) as name:
        place = Path(name).resolve()
        (place / "documents").mkdir()
        made = Workspace(place / "documents", place / "index")
        yield made
        made.close()


@pytest.fixture
def space() -> Iterator[Workspace]:
    with workspace() as made:
        yield made


@pytest.fixture(scope="session")
def make_space() -> Iterator[Callable[[], Workspace]]:
    """Return a maker of workspaces that outlive a test."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(workspace())


Crash = Callable[[Workspace, str, str], int]


@pytest.fixture(scope="session")
def crash() -> Iterator[Crash]:
    """Return a function that runs an operation which ends its process at a point of `crashing`."""
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("crashing.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run(space: Workspace, point: str, operation: str = "ingest") -> int:
        assert server.stdin is not None
        assert server.stdout is not None
        request = [point, operation, str(space.folder), str(space.index)]
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        return int(server.stdout.readline())

    yield run
    server.communicate()


@pytest.fixture
def settled() -> Callable[[], None]:
    return settle


_opened: list[str] = []
_watching = threading.Event()


def _note_open(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and _watching.is_set() and isinstance(args[0], str):
        _opened.append(Path(args[0]).name)


@pytest.fixture(scope="session")
def _audit() -> None:
    sys.addaudithook(_note_open)


@pytest.fixture
def opened_files(_audit: None) -> Iterator[Callable[[Callable[[], object]], set[str]]]:
    """Return the names of the files that are opened while a function runs."""

    def watch(work: Callable[[], object]) -> set[str]:
        _opened.clear()
        _watching.set()
        try:
            work()
        finally:
            _watching.clear()
        return set(_opened)

    yield watch
    _watching.clear()
