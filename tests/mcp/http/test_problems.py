"""Whatever goes wrong, the answer has one shape, and never repeats what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.contracts import CollectionList, Contract
from groundkit_core.errors import CollectionBusyError, GroundkitError
from groundkit_mcp import Operation
from groundkit_mcp.calls import Call
from groundkit_mcp.failures import RULES
from groundkit_mcp.operations.inputs import CollectionsInput

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Served

CANARY = "xyzzycanary"
JSON = {"content-type": "application/json"}


def check(answer: Any, status: int, kind: str) -> dict[str, Any]:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert CANARY not in answer.text
    body: dict[str, Any] = answer.json()
    assert body["kind"] == kind
    assert body["type"] == f"urn:groundkit:error:{kind}"
    assert body["status"] == status
    assert body["request_id"] == answer.headers["x-request-id"]
    assert body["title"]
    assert body["detail"]
    return body


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", f"/{CANARY}", 404, "route_not_found"),
        ("GET", f"/v1/chunks/a/{CANARY}", 404, "route_not_found"),
        ("GET", "/v1/search", 405, "method_not_allowed"),
        ("GET", f"/v1/search?query={CANARY}", 405, "method_not_allowed"),
        ("DELETE", "/v1/sources", 405, "method_not_allowed"),
        ("GET", "/mcp", 405, "method_not_allowed"),
        ("DELETE", "/mcp", 405, "method_not_allowed"),
        ("OPTIONS", "/v1/search", 405, "method_not_allowed"),
        ("GET", "/v1/sources/", 404, "route_not_found"),
        ("GET", f"/v1/chunks/{CANARY}", 404, "chunk_not_found"),
        ("GET", f"/v1/chunks/{CANARY * 20}", 422, "invalid_request"),
        ("GET", f"/v1/status?collection={CANARY}&collection=b", 422, "invalid_request"),
        ("GET", f"/v1/sources?{CANARY}=1", 422, "invalid_request"),
        ("GET", f"/v1/sources?source_class={CANARY}", 422, "invalid_request"),
        ("GET", f"/v1/sources?project=../{CANARY}", 422, "invalid_request"),
        ("GET", f"/v1/sources?{CANARY}", 400, "malformed_request"),
        ("GET", f"/v1/sources?project=%ff{CANARY}", 400, "malformed_request"),
        ("GET", f"/v1/chunks/{CANARY}?chunk_id=b", 422, "invalid_request"),
    ],
)
def test_errors_are_problem_details(
    open_service: Served, method: str, path: str, status: int, kind: str
) -> None:
    check(open_service.client.request(method, path), status, kind)


def test_a_wrong_method_is_told_the_right_one(open_service: Served) -> None:
    assert open_service.get("/v1/search").headers["allow"] == "POST"


def test_an_unknown_collection_is_not_found(open_service: Served) -> None:
    body = check(open_service.get("/v1/status?collection=unknown"), 404, "collection_not_found")
    assert "default, guides" in body["detail"]


@pytest.mark.parametrize(
    ("content", "headers", "status", "kind"),
    [
        (b"{", JSON, 400, "malformed_request"),
        (b"", JSON, 400, "malformed_request"),
        (b"[]", JSON, 400, "malformed_request"),
        (b'"' + CANARY.encode() + b'"', JSON, 400, "malformed_request"),
        (b'{"query": "zebra", "query": "lion"}', JSON, 400, "malformed_request"),
        (b'{"query": "zebra", "limit": NaN}', JSON, 400, "malformed_request"),
        (b'{"query": "zebra", "limit": 1e999}', JSON, 422, "invalid_request"),
        (b'{"query": "zebra", "limit": 1' + b"0" * 5000 + b"}", JSON, 400, "malformed_request"),
        (b'{"query": "\xff"}', JSON, 400, "malformed_request"),
        (b"[" * 100_000, JSON, 400, "malformed_request"),
        (b'{"query": "\\ud800"}', JSON, 422, "invalid_request"),
        (b'{"query": 7}', JSON, 422, "invalid_request"),
        (b"{}", JSON, 422, "invalid_request"),
        (f'{{"query": "zebra", "{CANARY}": 1}}'.encode(), JSON, 422, "invalid_request"),
        (f'{{"query": "zebra", "mode": "{CANARY}"}}'.encode(), JSON, 422, "invalid_request"),
        (b'{"query": "zebra", "mode": "dense"}', JSON, 422, "mode_unavailable"),
        (b'{"query": "zebra"}', {}, 415, "unsupported_media_type"),
        (b'{"query": "zebra"}', {"content-type": "text/plain"}, 415, "unsupported_media_type"),
        (
            b'{"query": "zebra"}',
            {"content-type": "application/json; charset=utf-16"},
            415,
            "unsupported_media_type",
        ),
        (
            b"query=zebra",
            {"content-type": "application/x-www-form-urlencoded"},
            415,
            "unsupported_media_type",
        ),
    ],
)
def test_bodies_that_are_no_search_are_refused(
    open_service: Served, content: bytes, headers: dict[str, str], status: int, kind: str
) -> None:
    check(open_service.client.post("/v1/search", content=content, headers=headers), status, kind)


def test_a_body_may_name_its_encoding(open_service: Served) -> None:
    headers = {"content-type": "Application/JSON; charset=UTF-8"}
    answer = open_service.client.post("/v1/search", content=b'{"query": "zebra"}', headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("given", [0, 21, -1, 10**9, "8", 8.0, True, None, [8], 1.5])
def test_limit_in_a_body_is_an_integer_from_1_to_20(open_service: Served, given: object) -> None:
    body = {"query": "zebra", "limit": given}
    answer = open_service.client.post("/v1/search", json=body)
    assert "limit: " in check(answer, 422, "invalid_request")["detail"]


@pytest.mark.parametrize("given", ["1", "8", "100"])
def test_an_integer_in_a_url_is_its_decimal_form(open_service: Served, given: str) -> None:
    assert open_service.get(f"/v1/sources?limit={given}").status_code == 200


@pytest.mark.parametrize(
    "given",
    [
        *("0", "101", "-1", "08", "%2B8", "8.0", "true", "1e1", "1e9", "0x8"),
        *("", "%208", "8%20", "٨", "9" * 5000, "1_0"),
    ],
)
def test_other_forms_of_an_integer_are_refused(open_service: Served, given: str) -> None:
    answer = open_service.get(f"/v1/sources?limit={given}")
    assert "limit: " in check(answer, 422, "invalid_request")["detail"]


def failing(error: Exception, name: str = "fail") -> Operation:
    def handler(_call: Call, _given: CollectionsInput) -> Contract:
        raise error

    return Operation(
        name=name,
        title="Fail",
        summary="Fail.",
        guidance="Never.",
        input_model=CollectionsInput,
        output_model=CollectionList,
        handler=handler,
        method="GET",
        path=f"/v1/{name}",
    )


def test_the_same_error_has_the_same_kind_and_message_on_both_surfaces(
    start_service: Callable[..., Served], caplog: pytest.LogCaptureFixture
) -> None:
    secret = "/home/somebody/secret.sqlite3: select password"
    errors = {
        "own": (CollectionBusyError("somebody writes; try again"), 503, "collection_busy"),
        "value": (ValueError(secret), 500, "internal"),
        "system": (OSError(2, secret), 500, "internal"),
        "base": (GroundkitError(secret), 500, "internal"),
    }
    operations = [failing(error, name) for name, (error, _, _) in errors.items()]
    served = start_service(operations=operations)
    for name, (error, status, kind) in errors.items():
        body = check(served.get(f"/v1/{name}"), status, kind)
        result = served.rpc("tools/call", {"name": name}).json()["result"]
        assert result["_meta"]["groundkit/kind"] == kind
        assert result["content"][0]["text"].startswith(f"{kind}: {body['detail']} (")
        assert ("secret" in body["detail"]) is False
        assert (str(error) == body["detail"]) is (name == "own")
    assert served.get("/v1/own").headers["retry-after"] == "2"
    assert "secret" not in "".join(r.getMessage() for r in caplog.records)


def test_every_kind_of_error_has_a_status() -> None:
    def family(kind: type[GroundkitError]) -> list[type[GroundkitError]]:
        return [kind, *(k for child in kind.__subclasses__() for k in family(child))]

    # Other distributions that a test run imports have errors of their own.
    served = ("groundkit_core.", "groundkit_index.", "groundkit_retrieval.", "groundkit_mcp.")
    for kind in family(GroundkitError):
        if not kind.__module__.startswith(served):
            continue
        nearest = next(cls for cls in kind.__mro__ if cls in RULES)
        assert 400 <= RULES[nearest].status < 600
        assert kind is GroundkitError or nearest is not Exception, kind


def test_every_answer_has_its_own_request_id(open_service: Served) -> None:
    sent = {"x-request-id": CANARY}
    answers = [open_service.get(path, headers=sent) for path in ("/healthz", "/v1/sources", "/x")]
    ids = {answer.headers["x-request-id"] for answer in answers}
    assert len(ids) == 3
    assert CANARY not in ids
    call = {"name": "fetch_chunk", "arguments": {"chunk_id": "0" * 24}}
    answer = open_service.post_mcp(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    )
    meta = answer.json()["result"]["_meta"]
    assert meta["groundkit/request_id"] == answer.headers["x-request-id"]
