"""Bodies and heads that are too long or too slow cost the service nothing."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Guarded, Served

MIB = 2**20
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
PATHS = ["/mcp", "/v1/search", "/v1/sources", "/nothing"]


def chunks(size: int) -> Iterator[bytes]:
    for _ in range(size // 65536):
        yield b" " * 65536


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("declared", [True, False])
def test_a_body_of_5_mb_is_refused(open_service: Served, path: str, declared: bool) -> None:
    content = b" " * (5 * MIB) if declared else chunks(5 * MIB)
    answer = open_service.client.post(path, content=content, headers=JSON)
    assert (answer.status_code, answer.json()["kind"]) == (413, "body_too_large")
    assert answer.headers["content-type"] == "application/problem+json"
    assert open_service.get("/healthz").status_code == 200


def test_a_declared_gigabyte_is_refused_at_once(open_service: Served) -> None:
    started = time.monotonic()
    head = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n"
    assert b" 413 " in open_service.raw(head).splitlines()[0]
    assert time.monotonic() - started < 2


def test_the_cap_is_a_setting_and_its_last_byte_is_read(
    start_service: Callable[..., Served],
) -> None:
    served = start_service(body_bytes=200)
    body = json.dumps({"query": "zebra"}).encode()
    fits = body + b" " * (200 - len(body))
    assert served.client.post("/v1/search", content=fits, headers=JSON).status_code == 200
    assert served.client.post("/v1/search", content=fits + b" ", headers=JSON).status_code == 413


def dripping(served: Served, start: bytes, seconds: float) -> float:
    """Send a byte now and then; return how long the server bears it."""
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", served.port), 5) as connection:
        connection.sendall(start)
        connection.settimeout(0.1)
        while time.monotonic() - started < seconds:
            try:
                connection.sendall(b"a")
                if connection.recv(4096) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
    return time.monotonic() - started


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ",
        b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
    ],
)
def test_a_slow_client_is_cut_off_and_others_are_served(
    start_service: Callable[..., Served], start: bytes
) -> None:
    served = start_service(header_seconds=0.6, body_seconds=0.6)
    with socket.create_connection(("127.0.0.1", served.port), 5) as idle:
        idle.sendall(start)
        assert served.search().status_code == 200
    assert dripping(served, start, 5) < 3


def test_a_slow_body_is_told_so(start_service: Callable[..., Served]) -> None:
    served = start_service(body_seconds=0.3)
    head = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"
    answer = served.raw(head)
    assert b" 408 " in answer.splitlines()[0]
    assert b'"body_too_slow"' in answer


def test_a_kept_connection_outlives_the_time_for_a_head(
    start_service: Callable[..., Served],
) -> None:
    served = start_service(header_seconds=0.3)
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), 5) as connection:
        for _ in range(2):
            connection.sendall(ask)
            received = b""
            while b'"ok"' not in received:
                part = connection.recv(4096)
                assert part
                received += part
            time.sleep(0.6)


def test_a_head_of_many_kilobytes_is_refused(open_service: Served) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000 + b"\r\n\r\n"
    try:
        first = open_service.raw(head).splitlines()[:1]
    except ConnectionError:
        first = []
    assert not first or b" 400 " in first[0]
    assert open_service.get("/healthz").status_code == 200


def test_a_refusal_reaches_a_client_that_is_still_sending_and_keeps_its_connection(
    guarded: Guarded,
) -> None:
    body = b" " * 300_000
    head = (
        b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    with socket.create_connection(("127.0.0.1", guarded.port), 10) as connection:
        for _ in range(3):
            connection.sendall(head)
            time.sleep(0.05)
            connection.sendall(body)
            received = b""
            while b'"request_id"' not in received:
                part = connection.recv(65536)
                assert part
                received += part
            assert b" 401 " in received.splitlines()[0]
            assert b"connection: close" not in received
