"""Worker processes give the same index as one process, whatever becomes of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_index import IngestOptions, ingest

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

FILES = 60


@pytest.fixture(scope="module")
def alone(make_space: Callable[[], Workspace]) -> Workspace:
    """A corpus with a few bad files, ingested by one process."""
    space = make_space()
    for number in range(FILES):
        space.write(f"{number % 7}/{number:03}.md", f"# Part {number}\n\nThe zebra {number}.\n")
    space.write("bad.md", b"a\0b")
    space.write("latin.md", "Die Gr\u00f6\u00dfe des Zebras.".encode("latin-1"))
    space.ingest()
    return space


def run(space: Workspace, workers: int, mishap: str = "") -> tuple[int, dict[str, Any]]:
    """Return how many workers there were, and the report."""
    script = Path(__file__).with_name("pooled.py")
    child = subprocess.run(
        [sys.executable, script, space.folder, space.index, str(workers), mishap],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr
    assert child.stderr == ""
    number, report = child.stdout.split(" ", 1)
    return int(number), json.loads(report)


def held(space: Workspace) -> list[tuple[Any, ...]]:
    """Return everything of the chunks that does not depend on when a file was read."""
    return [
        (chunk.document_id, chunk.chunk_id, chunk.start, chunk.end, chunk.content, chunk.encoding)
        for _, chunks in sorted(space.chunks().items())
        for chunk in chunks
    ]


@pytest.mark.parametrize("mishap", ["", "kill"])
def test_two_workers_give_the_same_index_as_one_process(
    alone: Workspace, tmp_path: Path, mishap: str
) -> None:
    pooled = type(alone)(alone.folder, tmp_path / "index")
    workers, report = run(pooled, 2, mishap)
    assert workers == 2
    assert report["documents"]["added"] == FILES + 1
    assert [refusal["source"] for refusal in report["refusals"]] == ["bad.md"]
    assert held(pooled) == held(alone)
    digests = {space.open().status().documents_digest for space in (alone, pooled)}
    assert len(digests) == 1
    assert pooled.faults() == {}
    pooled.close()


def test_workers_end_with_a_program_that_was_killed(alone: Workspace, tmp_path: Path) -> None:
    script = Path(__file__).with_name("pooled.py")
    child = subprocess.run(
        [sys.executable, script, alone.folder, tmp_path / "index", "2", "die"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert child.returncode == -signal.SIGKILL
    workers = json.loads(child.stdout)
    assert len(workers) == 2
    deadline = time.monotonic() + 20
    while any(is_running(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(pid) for pid in workers)


def is_running(pid: int) -> bool:
    """Return whether there is such a process; one that ended and was not reaped is not running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_small_corpus_is_read_without_workers(alone: Workspace, tmp_path: Path) -> None:
    """Or this test would start again with every worker: it has no main guard."""
    report = ingest(alone.folder, index_dir=tmp_path / "index", options=IngestOptions(workers=2))
    assert report.documents.added == FILES + 1
