"""Slow, many, foreign or curious connections."""

from __future__ import annotations

import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from tests.mcp.http.attacks.deployed import Deployed, address_of, hits, until_ready


def test_others_are_served_beside_many_idle_and_slow_connections(deployed: Deployed) -> None:
    head = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    with ExitStack() as stack:
        for number in range(200):
            held = stack.enter_context(socket.create_connection(("127.0.0.1", deployed.port), 10))
            if number % 2:
                held.sendall(head + b"a" * number)
        started = time.monotonic()
        assert [len(hits(deployed.search("zebra"))) for _ in range(5)] == [1] * 5
        assert not deployed.tool("search", query="zebra").get("isError")
        assert time.monotonic() - started < 5


def is_open(connection: socket.socket) -> bool:
    """Whether a connection is still held by the other side."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def test_more_connections_than_the_system_allows_fill_no_log(
    command: tuple[str, ...], environment: dict[str, str], index_dir: Path, tmp_path: Path
) -> None:
    serve = [*command, "serve", "--http", "--port", "0", "--index-dir", str(index_dir)]
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            ["/bin/sh", "-c", 'ulimit -n 80; exec "$@"', "sh", *serve],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        ) as process,
    ):
        try:
            base = address_of(tmp_path / "log", process)
            client = httpx2.Client(base_url=base, trust_env=False, timeout=20)
            until_ready(client)
            with ExitStack() as held:
                place = ("127.0.0.1", client.base_url.port or 0)
                opened = [
                    held.enter_context(socket.create_connection(place, 10)) for _ in range(120)
                ]
                time.sleep(1)
                # Half of 80 at the most; how many less depends on what else the process has open.
                assert sum(map(is_open, opened)) in range(10, 41)
            until_ready(client)
            client.close()
        finally:
            process.kill()
    assert (tmp_path / "log").read_text().count("\n") < 20


@pytest.mark.parametrize("host", ["evil.com", "169.254.169.254", "localhost.evil.com"])
@pytest.mark.parametrize("path", ["/mcp", "/v1/search", "/v1/sources", "/healthz", "/readyz"])
def test_a_foreign_host_is_misdirected_before_the_token_is_looked_at(
    deployed: Deployed, path: str, host: str
) -> None:
    for headers in ({}, deployed.bearer()):
        answer = deployed.client.get(path, headers={**headers, "host": host})
        assert answer.status_code == 421
        assert "www-authenticate" not in answer.headers


def test_an_env_file_of_the_working_directory_is_not_read(
    command: tuple[str, ...], environment: dict[str, str], index_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=nonsense\nFASTMCP_TELEMETRY_MODE=native\n")
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            [*command, "serve", "--http", "--port", "0", "--index-dir", str(index_dir)],
            env=environment,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        ) as process,
    ):
        try:
            assert address_of(tmp_path / "log", process).startswith("http://127.0.0.1:")
        finally:
            process.kill()
    assert (tmp_path / "log").read_text().count("\n") == 1
