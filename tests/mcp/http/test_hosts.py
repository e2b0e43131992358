"""Only requests that were meant for this service, from no foreign page, are looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Served

PATHS = ["/mcp", "/v1/search", "/v1/sources", "/healthz", "/readyz", "/openapi.json", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "host", ["evil.com", "127.0.0.1.evil.com", "localhost.", "user@localhost", "", "[::2]:80", "*"]
)
def test_an_unknown_host_is_misdirected(open_service: Served, path: str, host: str) -> None:
    for method in ("GET", "POST"):
        answer = open_service.client.request(method, path, headers={"host": host}, json={})
        assert (answer.status_code, answer.json()["kind"]) == (421, "unknown_host")
        assert host == "" or host not in answer.text or host == "*"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.com",
        "null",
        "file://",
        "http://localhost.evil.com",
        "http://127.0.0.1:1",
        "https://127.0.0.1:{port}x",
        "chrome-extension://abc",
        "",
    ],
)
def test_a_page_of_another_origin_is_refused(open_service: Served, path: str, origin: str) -> None:
    headers = {"origin": origin.format(port=open_service.port)}
    for method in ("GET", "POST"):
        answer = open_service.client.request(method, path, headers=headers, json={})
        assert (answer.status_code, answer.json()["kind"]) == (403, "foreign_origin")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_loopback_names_and_their_own_pages_are_served(open_service: Served, host: str) -> None:
    authority = f"{host}:{open_service.port}"
    headers = {"host": authority, "origin": f"http://{authority}"}
    assert open_service.get("/v1/collections", headers=headers).status_code == 200


def test_two_hosts_in_one_request_are_refused(open_service: Served) -> None:
    head = (
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\nConnection: close\r\n\r\n"
    )
    assert b" 200 " not in open_service.raw(head).splitlines()[0]
    old = b"GET /healthz HTTP/1.0\r\n\r\n"
    assert b" 421 " in open_service.raw(old).splitlines()[0]


def test_an_allowed_name_is_served_with_its_own_origin_only(
    start_service: Callable[..., Served],
) -> None:
    served = start_service(hosts=frozenset({"docs.example"}))
    assert served.get("/healthz", headers={"host": "docs.example"}).status_code == 200
    ours = {"host": "docs.example", "origin": "https://docs.example"}
    assert served.get("/healthz", headers=ours).status_code == 200
    theirs = {"host": "docs.example", "origin": "https://other.example"}
    assert served.get("/healthz", headers=theirs).status_code == 403
    assert served.get("/healthz", headers={"host": "localhost"}).status_code == 421
