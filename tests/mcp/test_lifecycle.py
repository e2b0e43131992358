"""The process ends with its client, and takes its child with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_index.layout import CollectionPaths
from groundkit_index.lock import writer_lock

if TYPE_CHECKING:
    from tests.mcp.conftest import Wire

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

SOON = 10.0


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(stat.parent.name))
    return found


def until(condition: Callable[[], bool], seconds: float = SOON) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


@pytest.fixture
def blocked(tmp_path: Path, documents: Path) -> Iterator[tuple[str, ...]]:
    """Arguments of a server whose sync waits for another writer, so that it never ends."""
    paths = CollectionPaths.of(tmp_path / "index", "default")
    paths.folder.mkdir(parents=True)
    with writer_lock(paths.lock, wait=1):
        yield ("--index-dir", str(paths.index_dir), "--docs", str(documents))


def syncing(wire: Wire) -> int:
    wire.initialize()
    assert until(lambda: len(children(wire.process.pid)) == 1, 60)
    return children(wire.process.pid)[0]


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_ends_the_server_and_the_sync(
    start: Callable[..., Wire], blocked: tuple[str, ...], number: signal.Signals, code: int
) -> None:
    wire = start(*blocked)
    child = syncing(wire)
    wire.process.send_signal(number)
    assert wire.process.wait(SOON) == code
    assert until(lambda: not alive(child))
    out, err = wire.end()
    assert out == ""
    assert "Traceback" not in err


def test_the_end_of_input_ends_the_server_and_the_sync(
    start: Callable[..., Wire], blocked: tuple[str, ...]
) -> None:
    wire = start(*blocked)
    child = syncing(wire)
    out, err = wire.end()
    assert (wire.process.returncode, out) == (0, "")
    assert "Traceback" not in err
    assert until(lambda: not alive(child))


def test_a_server_whose_parent_is_killed_ends_although_its_input_stays_open(
    command: tuple[str, ...], blocked: tuple[str, ...], environment: dict[str, str]
) -> None:
    reading, writing = os.pipe()
    script = (
        "import subprocess, sys; server = subprocess.Popen(sys.argv[1:], stdin=0,"
        " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        " print(server.pid, flush=True); server.wait()"
    )
    arguments = [sys.executable, "-c", script, *command, "serve", *blocked]
    client = subprocess.Popen(
        arguments, stdin=reading, stdout=subprocess.PIPE, text=True, env=environment
    )
    os.close(reading)
    assert client.stdout is not None
    server = int(client.stdout.readline())
    try:
        os.write(writing, b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        assert until(lambda: len(children(server)) == 1, 60)
        child = children(server)[0]
        client.kill()
        client.wait()
        assert until(lambda: not alive(server))
        assert until(lambda: not alive(child))
    finally:
        os.close(writing)
        with client:
            client.kill()


def test_a_client_that_neither_reads_nor_writes_any_more_does_not_hold_the_server(
    start: Callable[..., Wire], index_dir: Path
) -> None:
    wire = start("--index-dir", str(index_dir)).initialize()
    for number in range(60):
        arguments = {"query": "zebra gateway marmot ocelot lease", "limit": 20}
        params = {"name": "search", "arguments": arguments}
        wire.say("tools/call", id=number, params=params)
    assert wire.process.stdin is not None
    time.sleep(0.5)
    wire.process.stdin.close()
    assert wire.process.wait(SOON) == 0


def test_a_client_that_closes_its_output_first_is_no_error(
    start: Callable[..., Wire], index_dir: Path
) -> None:
    wire = start("--index-dir", str(index_dir)).initialize()
    assert wire.process.stdin is not None
    assert wire.process.stdout is not None
    wire.process.stdout.close()
    wire.say("tools/list", id=2)
    time.sleep(0.3)
    wire.process.stdin.close()
    assert wire.process.wait(SOON) == 0
    assert wire.log() == ""
