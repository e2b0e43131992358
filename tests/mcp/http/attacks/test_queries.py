"""Queries, names, filters and ids that are made to be misread."""

from __future__ import annotations

import socket
from typing import Any

import httpx2
import pytest
from tests.mcp.http.attacks.deployed import Deployed, hits


@pytest.mark.parametrize(
    "spelling",
    ["café", "cafe\u0301", "ｃａｆé", "CAFÉ", "ca\u200bfé"],
    ids=["composed", "decomposed", "full width", "upper case", "zero-width space"],
)
def test_equivalent_spellings_of_a_query_find_the_same(deployed: Deployed, spelling: str) -> None:
    if "\u200b" in spelling:
        assert hits(deployed.search(spelling + " zebra"))
        return
    (expected,) = hits(deployed.search("café"))
    (found,) = hits(deployed.search(spelling))
    assert found == expected
    assert deployed.tool("search", query=spelling)["structuredContent"]["results"] == [expected]


@pytest.mark.parametrize(
    "query", ["", "   ", "\u200b\u200b", "\u202e\u2066", "\x00\x01", "\ufeff", "x" * 501]
)
def test_a_query_without_visible_characters_is_refused(deployed: Deployed, query: str) -> None:
    assert deployed.search(query).status_code == 422
    assert deployed.tool("search", query=query)["_meta"]["groundkit/kind"] == "invalid_request"


@pytest.mark.parametrize(
    "query",
    ["NEAR(", '"', "*", "col:zebra", "-zebra", "zebra AND NOT guide", "'); DROP TABLE chunks;--"],
)
def test_syntax_of_query_languages_is_words(deployed: Deployed, query: str) -> None:
    found = {hit["citation"]["source"] for hit in hits(deployed.search(query))}
    assert found == ({"guide.md"} if "zebra" in query else set())


@pytest.mark.parametrize(
    "name",
    ["../x", "/etc", "a" * 101, "\u2024\u2024/x", "x\u2025", "..", "\uff0e\uff0e\uff0fx", "x\ny"],
)
def test_a_name_that_is_no_name_is_refused(deployed: Deployed, name: str) -> None:
    for field in ("project", "collection"):
        assert deployed.search("zebra", **{field: name}).status_code == 422
        assert deployed.tool("search", query="zebra", **{field: name})["isError"] is True
        url = httpx2.URL("/v1/sources", params={field: name})
        assert deployed.get(str(url)).status_code == 422


@pytest.mark.parametrize(
    "field", ["metadata_filter", "filter", "labels", "access_labels", "where", "source", "root"]
)
@pytest.mark.parametrize("value", [{"access_labels": ["people"]}, "people", None])
def test_a_filter_on_a_field_that_is_not_declared_is_refused(
    deployed: Deployed, field: str, value: object
) -> None:
    given: dict[str, Any] = {field: value}
    answer = deployed.search("zebra", **given)
    assert (answer.status_code, answer.json()["kind"]) == (422, "invalid_request")
    assert field not in answer.json()["detail"].replace("input schema", "")
    assert deployed.tool("search", query="zebra", **given)["isError"] is True


@pytest.mark.parametrize(
    "path",
    [
        "../../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "..%5c..%5cwindows",
        "%00",
        "~root",
        "%2fproc%2fself%2fenviron",
        "%5c%5chost%5cshare",
        "a.%20",
    ],
)
def test_an_id_that_looks_like_a_path_is_an_unknown_id(deployed: Deployed, path: str) -> None:
    with socket.create_connection(("127.0.0.1", deployed.port), 10) as raw:
        raw.sendall(
            f"GET /v1/chunks/{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Authorization: Bearer {deployed.tokens['ann']}\r\n\r\n".encode()
        )
        answer = b""
        while part := raw.recv(65536):
            answer += part
    assert answer.split()[1] in (b"404", b"422")
    for leak in (b"root:", b"PATH=", str(deployed.folder.parent).encode(), b"Traceback"):
        assert leak not in answer
