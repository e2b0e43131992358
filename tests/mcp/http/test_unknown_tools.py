"""A tool that is unknown, or beyond the caller's scopes, is an error of the protocol.

The specification of tools (2025-11-25 and 2026-07-28, "Error handling") lists unknown tools under
protocol errors, with the code of invalid parameters.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from fastmcp import Client
from mcp import MCPError

from groundkit_mcp import OPERATIONS, ServiceContext, build_server

if TYPE_CHECKING:
    from tests.mcp.conftest import Caller, Wire
    from tests.mcp.http.conftest import Guarded, Served

CANARY = "xyzzycanary"
INVALID_PARAMS = -32602
MODERN = "2026-07-28"
NAMES = sorted(operation.name for operation in OPERATIONS)
MESSAGE = f"no such tool; there are: {', '.join(NAMES)}"


def checked(error: dict[str, Any]) -> tuple[str, str]:
    """Return the message and the request id of an error that is as it should be."""
    assert (error["code"], error["data"]["kind"]) == (INVALID_PARAMS, "invalid_request")
    assert set(error["data"]) == {"kind", "request_id"}
    assert CANARY not in json.dumps(error)
    return error["message"], error["data"]["request_id"]


def ask_modern(served: Served, tool: str) -> Any:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": {}, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return served.post_mcp(
        json.dumps(message), mcp_protocol_version=MODERN, mcp_method="tools/call", mcp_name=tool
    )


@pytest.mark.parametrize("arguments", [{}, {"query": CANARY}, {CANARY: 1}])
def test_in_memory_it_is_told_without_its_name(
    index_dir: Any, serve: Callable[..., ServiceContext], arguments: dict[str, Any]
) -> None:
    async def run() -> MCPError:
        async with Client(build_server(serve(index_dir))) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool_mcp(CANARY, arguments)
            return caught.value

    error = anyio.run(run).error.model_dump()
    message, request_id = checked(error)
    assert message == MESSAGE
    assert request_id


def test_over_stdio_it_is_told_and_the_session_goes_on(caller: Caller) -> None:
    ids = set()
    for name in (CANARY, f"{CANARY}\n", "Search", ""):
        with pytest.raises(MCPError) as caught:
            caller.call(name)
        message, request_id = checked(caught.value.error.model_dump())
        assert message == MESSAGE
        ids.add(request_id)
    assert len(ids) == 4
    assert caller.call("search", query="zebra").data["status"] == "OK"


def test_over_stdio_it_is_no_error_of_the_server(
    start: Callable[..., Wire], index_dir: Any
) -> None:
    wire = start("--index-dir", str(index_dir)).initialize()
    answer = wire.ask("tools/call", name=CANARY, arguments={})
    assert "result" not in answer
    assert checked(answer["error"])[0] == MESSAGE
    _, log = wire.end()
    assert "Traceback" not in log
    assert CANARY not in log


def test_over_http_both_eras_tell_it_with_the_id_of_the_request(open_service: Served) -> None:
    call = {"name": CANARY, "arguments": {}}
    old = open_service.rpc("tools/call", call, mcp_protocol_version="2025-11-25")
    for answer in (old, ask_modern(open_service, CANARY)):
        assert "result" not in answer.json()
        message, request_id = checked(answer.json()["error"])
        assert message == MESSAGE
        assert request_id == answer.headers["x-request-id"]


def test_a_tool_beyond_the_scopes_is_told_like_one_that_does_not_exist(guarded: Guarded) -> None:
    reader = guarded.bearer("read")
    answers = [
        guarded.rpc("tools/call", {"name": name, "arguments": {"query": "zebra"}}, **reader)
        for name in ("search", CANARY)
    ]
    (hidden, _), (unknown, _) = (checked(answer.json()["error"]) for answer in answers)
    assert hidden == unknown == MESSAGE.replace(", search", "")
    assert answers[0].status_code == answers[1].status_code
    assert len(answers[0].content) == len(answers[1].content)


def test_invalid_arguments_of_a_known_tool_stay_a_result(open_service: Served) -> None:
    answer = open_service.rpc("tools/call", {"name": "search", "arguments": {"limit": 99}})
    assert answer.json()["result"]["isError"] is True


def test_it_is_counted_by_its_kind_and_not_by_its_name(open_service: Served) -> None:
    open_service.rpc("tools/call", {"name": CANARY, "arguments": {}})
    text = open_service.get("/metrics").text
    assert 'outcome="invalid_request"' in text
    assert CANARY not in text
