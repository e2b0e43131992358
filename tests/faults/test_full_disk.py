"""A disk that is full, or a file that may not grow, costs no document and heals by itself."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.errors import CollectionNotFoundError, StorageError
from groundkit_index.layout import CollectionPaths
from groundkit_index.lexical.writer import LexicalWriter
from groundkit_index.rebuild import rebuild

if TYPE_CHECKING:
    from tests.faults.conftest import Corpus, Held, Index, Mount

DISK = 8 * 2**20
FREE = (0, 20_000, 50_000, 150_000, 250_000, 350_000, 450_000)
"""Bytes that are left for an ingest that needs some 500,000."""


@pytest.fixture
def full(small_disk: Mount, corpus: Corpus, index: Index) -> Path:
    """A small disk with an index on it that serves a corpus which has changed since."""
    disk = small_disk(DISK)
    index.place = disk / "index"
    corpus.add(60)
    index.ingest(corpus.folder)
    return disk


def fill(disk: Path, free: int = 0) -> None:
    status = os.statvfs(disk)
    left = status.f_bavail * status.f_frsize - free
    (disk / "ballast").write_bytes(b"\0" * max(0, left))


def empty(disk: Path) -> None:
    (disk / "ballast").unlink(missing_ok=True)


def on_a_full_disk(disk: Path, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that fills the disk and goes on with the original."""

    def method(*arguments: Any) -> Any:
        fill(disk)
        return original(*arguments)

    return method


def changed(corpus: Corpus) -> tuple[Held, Held]:
    before = corpus.whole()
    corpus.change()
    corpus.add(20)
    return before, corpus.whole()


def check_healed(index: Index, corpus: Corpus) -> None:
    index.ingest(corpus.folder)
    assert index.held() == corpus.whole()
    index.check_finds_all(corpus.whole())


def test_a_full_disk_at_any_stage_loses_nothing_and_heals(
    full: Path, corpus: Corpus, index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    came = []
    for free in FREE:
        before, after = changed(corpus)
        fill(full, free)
        try:
            index.ingest(corpus.folder)
            came.append("done")
        except Exception as error:  # noqa: BLE001
            came.append(type(error).__name__)
        empty(full)
        held = index.held()
        for source in before.keys() | after.keys():
            assert held.get(source) in (before.get(source), after.get(source))
        index.check_serves_only(held)
        check_healed(index, corpus)
    with capsys.disabled():
        print(f"\nfree bytes -> outcome: {dict(zip(FREE, came, strict=True))}; healed each time")
    assert came.count("done") < len(FREE)


@pytest.mark.parametrize("free", [0, 20_000])
def test_a_full_disk_is_a_storage_error(
    full: Path, corpus: Corpus, index: Index, free: int
) -> None:
    changed(corpus)
    fill(full, free)
    with pytest.raises(StorageError):
        index.ingest(corpus.folder)


def test_a_full_disk_at_the_lexical_commit_is_a_storage_error(
    full: Path, corpus: Corpus, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(corpus)
    monkeypatch.setattr(LexicalWriter, "commit", on_a_full_disk(full, LexicalWriter.commit))
    with pytest.raises(StorageError):
        index.ingest(corpus.folder)


def test_a_full_disk_at_the_lexical_commit_heals(
    full: Path, corpus: Corpus, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(corpus)
    with monkeypatch.context() as patch:
        patch.setattr(LexicalWriter, "commit", on_a_full_disk(full, LexicalWriter.commit))
        with pytest.raises(Exception, match=r"."):
            index.ingest(corpus.folder)
    index.check_serves_only(index.held())
    empty(full)
    check_healed(index, corpus)


def test_a_reader_serves_on_a_full_disk_that_a_writer_failed_on(
    full: Path, corpus: Corpus, index: Index
) -> None:
    before, _ = changed(corpus)
    fill(full)
    with pytest.raises(Exception, match=r"."):
        index.ingest(corpus.folder)
    assert index.held() == before
    index.check_serves_only(before)


def test_a_reader_serves_on_a_full_disk(full: Path, corpus: Corpus, index: Index) -> None:
    fill(full)
    assert index.held() == corpus.whole()
    index.check_serves_only(corpus.whole())
    assert index.faults() == {}


def test_a_full_disk_while_the_version_is_switched_keeps_the_old_one(
    full: Path, corpus: Corpus, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = changed(corpus)
    switch = on_a_full_disk(full, CollectionPaths.set_current)
    with monkeypatch.context() as patch:
        patch.setattr(CollectionPaths, "set_current", switch)
        with pytest.raises((StorageError, OSError)):
            rebuild(index_dir=index.place)
    assert index.paths.current().name == "v000001"
    assert [version.name for version in index.paths.versions()] == ["v000001"]
    assert index.held() == before
    index.check_serves_only(before)
    empty(full)
    rebuild(index_dir=index.place)
    assert index.held() == after
    index.check_finds_all(after)


def test_a_full_disk_while_the_version_is_switched_is_a_storage_error(
    full: Path, corpus: Corpus, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch = on_a_full_disk(full, CollectionPaths.set_current)
    monkeypatch.setattr(CollectionPaths, "set_current", switch)
    with pytest.raises(StorageError):
        rebuild(index_dir=index.place)


def test_a_first_ingest_on_a_full_disk_leaves_nothing_that_stops_the_next(
    small_disk: Mount, corpus: Corpus, index: Index
) -> None:
    disk = small_disk(DISK)
    index.place = disk / "index"
    corpus.add(10)
    for free in (0, 8192, 40_000, 100_000):
        fill(disk, free)
        with pytest.raises(Exception, match=r"."):
            index.ingest(corpus.folder)
        empty(disk)
        with pytest.raises(CollectionNotFoundError):
            index.held()
    check_healed(index, corpus)


def test_the_command_says_in_one_line_that_the_disk_is_full(
    full: Path, corpus: Corpus, index: Index
) -> None:
    changed(corpus)
    fill(full, 50_000)
    process = index.start("ingest", corpus.folder)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert errors.startswith("groundkit: ")
    assert "full" in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("limit", [20_000, 120_000, 180_000, 300_000])
def test_files_that_may_not_grow_lose_nothing_and_heal(
    corpus: Corpus, index: Index, limit: int
) -> None:
    """The kernel refuses writes past the limit, as a failing disk would."""
    corpus.add(60)
    index.ingest(corpus.folder)
    before, after = changed(corpus)
    child = subprocess.run(
        index.arguments("ingest", corpus.folder),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert child.returncode in (0, 1), child.stderr
    held = index.held()
    for source in before.keys() | after.keys():
        assert held.get(source) in (before.get(source), after.get(source))
    index.check_serves_only(held)
    check_healed(index, corpus)
