"""Clients that cost next to nothing, so that what is measured is the server."""

from __future__ import annotations

import http.client
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import urlsplit

from scripts.bench.stats import percentile

Ask = Callable[[str], bool]
"""Asks one query, and says whether it was answered."""

_PATIENCE = 60.0

Connect = Callable[[], AbstractContextManager[Ask]]


@dataclass(frozen=True, slots=True)
class Timed:
    """Times of single requests in milliseconds, and how long all of them took in seconds."""

    times: list[float]
    failed: int
    seconds: float

    def at(self, percent: float) -> float:
        """Return a percentile of the times."""
        return percentile(self.times, percent)

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.times) / self.seconds


def timed(connect: Connect, queries: Sequence[str], total: int, clients: int = 1) -> Timed:
    """Ask `total` queries in turn, by so many clients at once, each over its own connection."""
    parts: list[tuple[list[float], int]] = []

    def run(first: int) -> None:
        with connect() as ask:
            asked = [queries[n % len(queries)] for n in range(first, total, clients)]
            parts.append(_times(ask, asked))

    threads = [threading.Thread(target=run, args=(first,)) for first in range(clients)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    times = [value for part, _ in parts for value in part]
    return Timed(times, sum(failed for _, failed in parts) + total - len(times), seconds)


def rest(url: str, body: Callable[[str], dict[str, Any]]) -> Connect:
    """Return what posts to `/v1/search`."""
    return _posting(url, "/v1/search", body, {}, b'"results"')


def mcp_http(url: str) -> Connect:
    """Return what calls the tool `search` over streamable HTTP, without a session."""
    accept = {"accept": "application/json, text/event-stream"}
    return _posting(url, "/mcp", _call, accept, b'"structuredContent"')


@contextmanager
def mcp_stdio(command: Sequence[str], env: dict[str, str], log: Path) -> Iterator[Ask]:
    """Start a server and call its tool `search` over its standard streams."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        log.open("w") as errors,
        subprocess.Popen(list(command), env=env, stderr=errors, **pipes) as server,
    ):
        to, back = cast(IO[bytes], server.stdin), cast(IO[bytes], server.stdout)

        def exchange(message: dict[str, Any], *, answered: bool = True) -> bytes:
            to.write(json.dumps(message).encode() + b"\n")
            to.flush()
            return back.readline() if answered else b""

        client = {"name": "bench", "version": "1"}
        opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        exchange({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening})
        exchange({"jsonrpc": "2.0", "method": "notifications/initialized"}, answered=False)
        yield lambda query: b'"structuredContent"' in exchange(_call(query))
        to.close()


def _call(query: str) -> dict[str, Any]:
    params = {"name": "search", "arguments": {"query": query}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _posting(
    url: str,
    path: str,
    body: Callable[[str], dict[str, Any]],
    headers: dict[str, str],
    mark: bytes,
) -> Connect:
    place = urlsplit(url)
    headers = {"content-type": "application/json", **headers}

    @contextmanager
    def connect() -> Iterator[Ask]:
        connection = http.client.HTTPConnection(
            place.hostname or "", place.port or 0, timeout=_PATIENCE
        )

        def ask(query: str) -> bool:
            try:
                connection.request("POST", path, json.dumps(body(query)), headers)
                answer = connection.getresponse()
                return mark in answer.read() and answer.status == http.client.OK
            except (OSError, http.client.HTTPException):
                connection.close()  # the next request opens it anew
                return False

        try:
            yield ask
        finally:
            connection.close()

    return connect


def _times(ask: Ask, queries: Sequence[str]) -> tuple[list[float], int]:
    times, failed = [], 0
    for query in queries:
        started = time.perf_counter()
        failed += not ask(query)
        times.append(1000 * (time.perf_counter() - started))
    return times, failed
