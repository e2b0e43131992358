"""Who has no valid token gets nothing; who has one gets what its scopes allow."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Route

from groundkit_mcp import OPERATIONS, ServiceContext
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.http import HttpSettings, build_app
from groundkit_mcp.http.authentication import PUBLIC_PATHS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mcp.http.conftest import Guarded, Served


def routes() -> list[tuple[str, str]]:
    app = build_app(ServiceContext("none"), HttpSettings())
    found = []
    for route in app.routes:
        assert isinstance(route, Route)
        found += [(method, route.path) for method in route.methods or ()]
    return sorted(found)


def test_every_route_asks_for_a_token_or_is_listed_as_public(guarded: Guarded) -> None:
    walked = sorted({*routes(), *(("GET", path) for path in PUBLIC_PATHS)})
    assert len(walked) > len(OPERATIONS)
    assert {path for _, path in routes()} - PUBLIC_PATHS >= {"/mcp", "/openapi.json"}
    for method, path in walked:
        answer = guarded.client.request(method, path.replace("{chunk_id}", "0" * 24))
        if path in PUBLIC_PATHS:
            assert answer.status_code == 200, path
            continue
        assert answer.status_code == 401, (method, path)
        assert answer.headers["www-authenticate"].startswith("Bearer ")
        if method != "HEAD":
            assert answer.json()["detail"] == "a valid bearer token is needed"


def test_unknown_paths_and_methods_ask_for_a_token_first(guarded: Guarded) -> None:
    assert guarded.get("/v1/nothing").status_code == 401
    assert guarded.client.delete("/v1/search").status_code == 401
    assert guarded.get("/healthz/").status_code == 401
    assert guarded.get("//healthz").status_code == 401


def test_the_challenge_names_the_metadata_of_the_endpoint(guarded: Guarded) -> None:
    challenge = guarded.rpc("tools/list").headers["www-authenticate"]
    url = re.search(r'resource_metadata="([^"]+)"', challenge)
    assert url is not None
    assert "error=" not in challenge
    assert 'scope="read search"' in challenge
    found = guarded.get(url[1]).json()
    assert found["resource"] == f"{guarded.url}/mcp"
    assert found["authorization_servers"] == ["https://issuer.example"]
    assert found["scopes_supported"] == ["read", "search"]
    assert found["bearer_methods_supported"] == ["header"]
    assert guarded.get("/.well-known/oauth-protected-resource").json() == found


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("Bearer nonsense", "invalid_token"),
        ("Bearer gk_" + "A" * 43, "invalid_token"),
        ("Bearer", "invalid_request"),
        ("Bearer  two", "invalid_request"),
        ("Bearer a b", "invalid_request"),
        ("Basic YTpi", "invalid_request"),
        ("bearer é", "invalid_request"),
        ("Bearer " + "a" * 20_000, "invalid_token"),
    ],
)
def test_what_is_no_valid_token_is_refused_without_a_reason(
    guarded: Guarded, value: str, code: str
) -> None:
    answer = guarded.search(headers={"authorization": value.encode("latin-1")})
    assert answer.status_code == 401
    assert f'error="{code}"' in answer.headers["www-authenticate"]
    assert answer.json()["detail"] == "a valid bearer token is needed"


def test_two_authorization_headers_are_refused(guarded: Guarded) -> None:
    token = guarded.tokens["both"]
    headers = [("authorization", f"Bearer {token}"), ("authorization", f"Bearer {token}")]
    assert guarded.get("/v1/sources", headers=headers).status_code == 401


@pytest.mark.parametrize("name", ["access_token", "ACCESS_TOKEN", "token", "id_token"])
@pytest.mark.parametrize("path", ["/v1/sources", "/mcp", "/openapi.json"])
def test_a_token_in_the_query_is_never_accepted(guarded: Guarded, path: str, name: str) -> None:
    token = guarded.tokens["both"]
    for headers in ({}, guarded.bearer("both")):
        answer = guarded.get(f"{path}?{name}={token}", headers=headers)
        assert answer.status_code == 401
        assert token not in answer.text


def test_valid_tokens_of_both_kinds_are_served(guarded: Guarded, issuer: Any) -> None:
    assert guarded.search(headers=guarded.bearer("both")).json()["status"] == "OK"
    for token in (issuer.token(), issuer.token(kid="e", algorithm="ES256")):
        assert guarded.search(headers={"authorization": f"bearer {token}"}).status_code == 200


def test_a_missing_scope_is_forbidden_and_named(guarded: Guarded) -> None:
    answer = guarded.search(headers=guarded.bearer("read"))
    assert (answer.status_code, answer.json()["kind"]) == (403, "insufficient_scope")
    assert answer.json()["scope"] == "search"
    challenge = answer.headers["www-authenticate"]
    assert 'error="insufficient_scope"' in challenge
    assert 'scope="search"' in challenge
    assert "resource_metadata=" in challenge
    assert guarded.get("/v1/sources", headers=guarded.bearer("read")).status_code == 200
    assert guarded.get("/v1/sources", headers=guarded.bearer("search")).status_code == 403


def test_scopes_are_checked_before_arguments(guarded: Guarded) -> None:
    answer = guarded.get("/v1/sources?limit=9999", headers=guarded.bearer("search"))
    assert answer.status_code == 403


def test_tools_without_their_scope_are_absent_and_unknown(guarded: Guarded) -> None:
    reader = guarded.bearer("read")
    listed = guarded.rpc("tools/list", **reader).json()["result"]["tools"]
    expected = {o.name for o in OPERATIONS if o.scope == "read"}
    assert {tool["name"] for tool in listed} == expected
    calls = [
        guarded.rpc("tools/call", {"name": name, "arguments": {"query": "zebra"}}, **reader)
        for name in ("search", "nonsense")
    ]
    errors = [answer.json()["error"] for answer in calls]
    for error, answer in zip(errors, calls, strict=True):
        assert (error["code"], error["data"]["kind"]) == (-32602, "invalid_request")
        assert error["data"].pop("request_id") == answer.headers["x-request-id"]
    assert errors[0] == errors[1]
    assert "search" not in errors[0]["message"]


def test_a_token_without_any_scope_opens_nothing(guarded: Guarded) -> None:
    nobody = guarded.bearer("none")
    assert guarded.rpc("tools/list", **nobody).status_code == 403
    assert guarded.get("/openapi.json", headers=nobody).status_code == 403
    for operation in OPERATIONS:
        path = operation.path.replace("{chunk_id}", "0" * 24)
        answer = guarded.client.request(
            operation.method, path, headers=nobody, json={"query": "zebra"}
        )
        assert answer.status_code == 403


@pytest.mark.parametrize("name", ["x-profile", "x-groundkit-profile", "x-forwarded-user", "tenant"])
def test_headers_that_name_an_identity_change_nothing(guarded: Guarded, name: str) -> None:
    assert guarded.search(headers={name: "auditor"}).status_code == 401
    plain = guarded.search(headers=guarded.bearer("both")).json()
    claimed = guarded.search(headers={**guarded.bearer("both"), name: "auditor"}).json()
    assert claimed["results"] == plain["results"]


@pytest.mark.parametrize("name", ["profile", "tenant", "principal", "scopes", "subject"])
def test_arguments_that_name_an_identity_are_unknown(guarded: Guarded, name: str) -> None:
    headers = guarded.bearer("both")
    body = {"query": "zebra", name: "auditor"}
    answer = guarded.client.post("/v1/search", json=body, headers=headers)
    assert (answer.status_code, answer.json()["kind"]) == (422, "invalid_request")
    assert guarded.get(f"/v1/sources?{name}=auditor", headers=headers).status_code == 422
    call = {"name": "search", "arguments": body}
    result = guarded.rpc("tools/call", call, **headers).json()["result"]
    assert result["_meta"]["groundkit/kind"] == "invalid_request"
    meta = {"name": "search", "arguments": {"query": "zebra"}, "_meta": {name: "auditor"}}
    assert not guarded.rpc("tools/call", meta, **headers).json()["result"].get("isError")


def test_a_service_without_authentication_needs_no_token(open_service: Served) -> None:
    answer = open_service.search(headers={"authorization": "Bearer whatever"})
    assert answer.status_code == 200
    assert open_service.get("/.well-known/oauth-protected-resource/mcp").status_code == 404


def test_half_of_a_configuration_is_refused(tmp_path: Path) -> None:
    from groundkit_core.errors import SettingsError

    keys = tmp_path / "jwks.json"
    keys.write_text(json.dumps({"keys": []}))
    for auth in (
        AuthSettings(issuer="https://i.example"),
        AuthSettings(keys=str(keys), issuer="https://i.example"),
        AuthSettings(keys=str(keys), issuer="i", audience="a"),
        AuthSettings(keys=str(tmp_path / "absent"), issuer="i", audience="a"),
        AuthSettings(keys="http://evil.example/jwks", issuer="i", audience="a"),
        AuthSettings(keys="https://u:p@evil.example/jwks", issuer="i", audience="a"),
        AuthSettings(keys="file:///etc/passwd", issuer="i", audience="a"),
        AuthSettings(tokens=tmp_path),
    ):
        with pytest.raises(SettingsError):
            build_app(ServiceContext(tmp_path), HttpSettings(auth=auth))
