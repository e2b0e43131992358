"""One writer at a time; others wait, in real processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import CollectionBusyError
from groundkit_index.layout import CURRENT
from groundkit_index.lock import hold_shared, try_exclusive, writer_lock
from groundkit_index.removal import remove, remove_collection
from groundkit_index.versions import writing

if TYPE_CHECKING:
    from tests.index.conftest import Workspace


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all({"a.md": "The zebra.\n"})
    space.ingest()
    return space


def test_a_second_writer_waits_is_told_once_and_then_succeeds(filled: Workspace) -> None:
    filled.write("b.md", "The giraffe.\n")
    with writer_lock(filled.paths.lock, wait=1):
        waiting = subprocess.Popen(
            filled.arguments("ingest", "--json", filled.folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waiting.stderr is not None
        notice = waiting.stderr.readline()
        assert waiting.poll() is None
    output, errors = waiting.communicate(timeout=60)
    assert waiting.returncode == 0
    assert notice == "groundkit: waiting for another writer of collection 'default'\n"
    assert errors == ""
    assert json.loads(output)["documents"]["added"] == 1


def test_a_writer_that_waited_too_long_fails_cleanly_and_changes_nothing(
    filled: Workspace,
) -> None:
    filled.write("b.md", "The giraffe.\n")
    before = filled.open().status()
    notices: list[str] = []
    with writer_lock(filled.paths.lock, wait=1):
        started = time.monotonic()
        with (
            pytest.raises(CollectionBusyError, match="try again"),
            writing(filled.paths, wait=0.3, notice=lambda message: notices.append(message)),
        ):
            pytest.fail("two writers at once")
        assert 0.3 <= time.monotonic() - started < 5
    assert notices == ["waiting for another writer of collection 'default'"]
    assert filled.open().status() == before


def test_every_writing_operation_holds_the_lock(filled: Workspace) -> None:
    with writer_lock(filled.paths.lock, wait=1):
        for write in (
            lambda: filled.ingest(lock_wait=0),
            lambda: filled.rebuild(lock_wait=0),
            lambda: remove("a.md", index_dir=filled.index, wait=0),
            lambda: remove_collection("default", index_dir=filled.index, wait=0),
        ):
            with pytest.raises(CollectionBusyError):
                write()
    assert list(filled.documents()) == ["a.md"]


def test_the_command_says_in_one_line_that_it_waited_too_long(filled: Workspace) -> None:
    environment = os.environ | {"GROUNDKIT_LOCK_WAIT_SECONDS": "0"}
    with writer_lock(filled.paths.lock, wait=1):
        result = filled.command("ingest", filled.folder, env=environment)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("groundkit: another process is writing")
    assert len(result.stderr.splitlines()) == 1


def test_readers_do_not_wait_for_the_writer(filled: Workspace) -> None:
    with writer_lock(filled.paths.lock, wait=1):
        assert filled.found("zebra") == ["a.md"]
        assert filled.doctor().healthy


def test_a_killed_writer_leaves_the_lock_free(filled: Workspace) -> None:
    holder = subprocess.Popen(
        [
            *filled.arguments("x")[:2],
            "-c",
            "import sys, time\nfrom pathlib import Path\n"
            "from groundkit_index.lock import writer_lock\n"
            "with writer_lock(Path(sys.argv[1]), wait=1):\n"
            "    print('held', flush=True)\n    time.sleep(60)\n",
            str(filled.paths.lock),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(CollectionBusyError):
        filled.ingest(lock_wait=0)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert filled.counts(lock_wait=5) == {"unchanged": 1}


def test_two_first_ingests_at_once_both_succeed(space: Workspace) -> None:
    """Both find no index; the folders that they ingest differ."""
    folders = [space.folder / "one", space.folder / "two"]
    for folder in folders:
        for number in range(20):
            space.write(f"{folder.name}/{number}.md", f"The zebra {folder.name}{number}.\n")
    ingests = [
        subprocess.Popen(
            space.arguments("ingest", "--json", folder), stdout=subprocess.PIPE, text=True
        )
        for folder in folders
    ]
    outputs = [process.communicate(timeout=120)[0] for process in ingests]
    assert [process.returncode for process in ingests] == [0, 0]
    reports = [json.loads(output) for output in outputs]
    assert [report["documents"]["added"] for report in reports] == [20, 20]
    assert space.open().status().documents == 40
    assert space.faults() == {}


def test_writers_that_make_the_index_dir_at_once_all_succeed(tmp_path: Path) -> None:
    from groundkit_index import CollectionPaths, versions

    failures: list[Exception] = []

    def make(paths: CollectionPaths, start: threading.Barrier) -> None:
        start.wait()
        try:
            versions._make_folder(paths)
        except OSError as error:
            failures.append(error)

    for attempt in range(40):
        paths = CollectionPaths.of(tmp_path / str(attempt) / "index", "default")
        start = threading.Barrier(4)
        threads = [threading.Thread(target=make, args=(paths, start)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert paths.folder.is_dir()
    assert failures == []


def test_an_ingest_that_waited_for_a_removal_makes_the_collection_anew(
    filled: Workspace,
) -> None:
    failures: list[Exception] = []

    def run() -> None:
        try:
            filled.ingest(lock_wait=20)
        except OSError as error:
            failures.append(error)

    waiting = threading.Thread(target=run)
    with writer_lock(filled.paths.lock, wait=1):
        waiting.start()
        time.sleep(0.3)
        (filled.paths.folder / CURRENT).unlink()
        shutil.rmtree(filled.paths.folder)
    waiting.join()
    assert failures == []
    assert filled.found("zebra") == ["a.md"]


def test_a_shared_hold_keeps_an_exclusive_one_away_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "in-use.lock"
    path.touch()
    held = hold_shared(path)
    with hold_shared(path), try_exclusive(path) as free:
        assert not free
    held.close()
    with try_exclusive(path) as free:
        assert free
