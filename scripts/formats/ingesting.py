"""The real ingest over every format, and the real check of every citation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.bench.errors import BenchError
from scripts.formats.account import Account, settle
from scripts.formats.memory import ReaderMemory
from scripts.formats.staging import Staged

from groundkit_core.contracts import SourceEntry
from groundkit_index import IndexReader, IngestOptions, ingest
from groundkit_retrieval import Collection

_PAGE = 1_000
_CLASSES: tuple[Literal["all", "config"], ...] = ("all", "config")
"""`all` leaves configuration out."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking every citation found.

    Attributes:
        citations: how many were checked.
        seconds: how long it took.
    """

    citations: int
    seconds: float


def ingest_all(
    staged: Mapping[str, Sequence[Staged]],
    folder: Path,
    index: Path,
    say: Callable[[str], None],
) -> list[Account]:
    """Ingest the folder of each format into one collection, with as many workers as there are.

    Args:
        staged: files by format, which is the name of their folder.
        folder: what holds these folders.
        index: where the collection is made.
        say: told how far it is.
    """
    accounts = []
    for name, files in staged.items():
        say(f"ingest {name}: {len(files):,} files")
        started = time.perf_counter()
        with ReaderMemory() as memory:
            report = ingest(folder / name, index_dir=index, options=IngestOptions(workers=None))
        seconds = time.perf_counter() - started
        with Collection.open(index_dir=index) as collection:
            chunks = {e.source: e.chunks for e in _sources(collection) if e.root == name}
        account = settle(name, files, report, chunks)
        account.seconds, account.peak_bytes = seconds, memory.peak_bytes
        accounts.append(account)
    return accounts


def verify_all(
    accounts: Sequence[Account], staged: Mapping[str, Sequence[Staged]], index: Path
) -> Checked:
    """Check every citation of the collection, and note those that do not verify.

    Raises:
        BenchError: not as many were checked as there are.
    """
    paths = {(name, f.source): f.path for name, files in staged.items() for f in files}
    by_name = {account.name: account for account in accounts}
    started = time.perf_counter()
    with Collection.open(index_dir=index) as collection:
        report = collection.verify()
    seconds = time.perf_counter() - started
    for citation in report.citations:
        source, mark, member = citation.source.partition("!/")
        where = f"{paths[citation.root, source]}{mark}{member}"
        detail = f"{where}: {citation.verification} at {citation.start_offset}"
        by_name[citation.root].unverified.append(detail)
    stored = sum(account.chunks for account in accounts)
    if report.checked != stored:
        raise BenchError(f"{report.checked:,} citations were checked, but {stored:,} are stored")
    return Checked(report.checked, seconds)


def texts_of(index: Path, name: str) -> dict[str, str]:
    """Return the texts of the documents of a format by source, as the catalog has them."""
    reader = IndexReader.open(index, "default")
    try:
        return reader.read(
            lambda snapshot: {
                document.source: snapshot.text(document.doc_key) or ""
                for document in snapshot.labelled_documents()
                if document.root == name
            }
        )
    finally:
        reader.close()


def _sources(collection: Collection) -> list[SourceEntry]:
    found: dict[str, SourceEntry] = {}
    for source_class in _CLASSES:
        offset: int | None = 0
        while offset is not None:
            page = collection.sources(source_class=source_class, limit=_PAGE, offset=offset)
            found.update({entry.document_id: entry for entry in page.sources})
            offset = page.next_offset
    return list(found.values())
