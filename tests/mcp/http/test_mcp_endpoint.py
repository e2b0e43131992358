"""The MCP endpoint, in both eras of the protocol and with both clients."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from groundkit_mcp import OPERATIONS

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Guarded, Served

CANARY = "xyzzycanary"
MODERN = "2026-07-28"
NAMES = sorted(operation.name for operation in OPERATIONS)


def modern(served: Served, method: str, params: dict[str, Any], **headers: str) -> httpx2.Response:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": method,
        "params": {**params, "_meta": meta},
    }
    given = {"mcp_protocol_version": MODERN, "mcp_method": method}
    if "name" in params:
        given["mcp_name"] = params["name"]
    return served.post_mcp(json.dumps(message), **{**given, **headers})


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake_era_is_spoken_without_sessions(open_service: Served, version: str) -> None:
    params = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    answer = open_service.rpc("initialize", params)
    assert answer.json()["result"]["protocolVersion"] == version
    assert "mcp-session-id" not in answer.headers
    call = {"name": "search", "arguments": {"query": "zebra"}}
    found = open_service.rpc("tools/call", call, mcp_protocol_version=version)
    assert found.json()["result"]["structuredContent"]["status"] == "OK"


def test_the_modern_era_is_spoken(open_service: Served) -> None:
    answer = modern(open_service, "server/discover", {})
    assert answer.status_code == 200, answer.text
    assert MODERN in answer.json()["result"]["supportedVersions"]
    tools = modern(open_service, "tools/list", {}).json()["result"]["tools"]
    assert sorted(tool["name"] for tool in tools) == NAMES
    call = {"name": "search", "arguments": {"query": "zebra"}}
    result = modern(open_service, "tools/call", call).json()["result"]
    assert result["structuredContent"]["status"] == "OK"


@pytest.mark.parametrize(
    "headers",
    [
        {"mcp_protocol_version": "1999-01-01"},
        {"mcp_protocol_version": CANARY},
        {"mcp_method": "tools/list"},
        {"mcp_method": CANARY},
        {"mcp_name": "search"},
        {"mcp_name": CANARY},
    ],
)
def test_headers_that_differ_from_the_body_are_refused_by_code(
    open_service: Served, headers: dict[str, str]
) -> None:
    params = {"name": "index_status", "arguments": {}}
    answer = modern(open_service, "tools/call", params, **headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32020
    assert CANARY not in answer.text


def test_an_unsupported_version_is_refused_with_those_that_are(open_service: Served) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/list",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "1999-01-01",
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        },
    }
    answer = open_service.post_mcp(
        json.dumps(message), mcp_protocol_version="1999-01-01", mcp_method="tools/list"
    )
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32022)
    assert MODERN in error["data"]["supported"]
    assert error["data"]["request_id"] == answer.headers["x-request-id"]


def test_a_version_in_the_header_must_be_that_of_the_body(open_service: Served) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/list",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2025-11-25",
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        },
    }
    answer = open_service.post_mcp(
        json.dumps(message), mcp_protocol_version=MODERN, mcp_method="tools/list"
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32020


@pytest.mark.parametrize("era", ["handshake", "modern"])
@pytest.mark.parametrize(
    "content",
    [
        f'{{"{CANARY}',
        f'"{CANARY}"',
        f'[{{"jsonrpc": "2.0", "id": 1, "method": "{CANARY}"}}]',
        f'{{"jsonrpc": "1.0", "id": 1, "method": "{CANARY}"}}',
        f'{{"jsonrpc": "2.0", "id": {{"a": "{CANARY}"}}, "method": "ping"}}',
        f'{{"jsonrpc": "2.0", "id": 1, "method": ["{CANARY}"]}}',
        f'{{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "{CANARY}"}}',
        f'{{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "{CANARY}"}}',
        f'{{"jsonrpc": "2.0", "id": 1, "result": "{CANARY}"}}',
    ],
)
def test_what_is_no_message_is_refused_without_its_words(
    open_service: Served, content: str, era: str
) -> None:
    headers = {"mcp_protocol_version": MODERN, "mcp_method": "ping"} if era == "modern" else {}
    answer = open_service.post_mcp(content, **headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in (-32700, -32600)
    assert CANARY not in answer.text


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": [CANARY]}),
        ("tools/call", {"name": "search", "arguments": CANARY}),
        ("tools/call", {"name": CANARY}),
        ("tools/call", {"name": "search", "arguments": {"query": CANARY * 100}}),
        ("tools/call", {"name": "search", "arguments": {CANARY: 1}}),
        ("tools/list", {"cursor": {"a": CANARY}}),
        ("resources/read", {"uri": f"groundkit://{CANARY}"}),
        ("resources/read", {"uri": CANARY}),
        (CANARY, {}),
        ("initialize", {"protocolVersion": [CANARY]}),
        ("prompts/get", {"name": CANARY}),
        ("completion/complete", {"ref": CANARY}),
        ("logging/setLevel", {"level": CANARY}),
    ],
)
def test_wrong_parameters_are_refused_without_their_words(
    open_service: Served, method: str, params: dict[str, Any]
) -> None:
    for answer in (
        open_service.rpc(method, params),
        modern(
            open_service, method, params, mcp_name=str(params.get("name", params.get("uri", "")))
        ),
    ):
        told = answer.json()
        assert "error" in told or told["result"]["isError"] is True
        assert CANARY not in answer.text


def test_another_media_type_is_refused(open_service: Served) -> None:
    answer = open_service.post_mcp("{}", content_type="text/plain")
    assert (answer.status_code, answer.json()["kind"]) == (415, "unsupported_media_type")


@asynccontextmanager
async def session_of(served: Served, **headers: str) -> AsyncIterator[ClientSession]:
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=20) as http,
        streamable_http_client(f"{served.url}/mcp", http_client=http) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        yield session


def test_the_sdk_client_searches(guarded: Guarded) -> None:
    async def run() -> None:
        async with session_of(guarded, **guarded.bearer("both")) as session:
            tools = (await session.list_tools()).tools
            assert sorted(tool.name for tool in tools) == NAMES
            result = await session.call_tool("search", {"query": "zebra engine"})
            assert result.structured_content is not None
            assert result.structured_content["status"] == "OK"
            (content,) = (await session.read_resource("groundkit://capabilities")).contents
            assert "streamable-http" in content.text  # type: ignore[union-attr]

    anyio.run(run)


def test_the_fastmcp_client_searches(guarded: Guarded) -> None:
    async def run() -> None:
        transport = StreamableHttpTransport(f"{guarded.url}/mcp", headers=guarded.bearer("search"))
        async with Client(transport) as client:
            assert [tool.name for tool in await client.list_tools()] == ["search"]
            result = await client.call_tool("search", {"query": "zebra engine"})
            assert result.structured_content is not None
            assert result.structured_content["status"] == "OK"

    anyio.run(run)


def test_callers_at_the_same_time_keep_their_own_identity(
    start_service: Callable[..., Served], guarded: Guarded
) -> None:
    async def tools(name: str, found: list[tuple[str, list[str]]]) -> None:
        async with session_of(guarded, **guarded.bearer(name)) as session:
            for _ in range(3):
                listed = (await session.list_tools()).tools
                found.append((name, sorted(tool.name for tool in listed)))

    async def run() -> None:
        found: list[tuple[str, list[str]]] = []
        async with anyio.create_task_group() as group:
            for name in ("read", "search", "both") * 2:
                group.start_soon(tools, name, found)
        expected = {
            "both": NAMES,
            "search": ["search"],
            "read": [name for name in NAMES if name != "search"],
        }
        assert len(found) == 18
        for name, listed in found:
            assert listed == expected[name]

    anyio.run(run)
