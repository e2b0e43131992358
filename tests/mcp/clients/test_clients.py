"""Clients of other makers list the tools and search, over HTTP and stdio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundkit_mcp import OPERATIONS

TOOLS = [operation.name for operation in OPERATIONS]

Client = Callable[..., dict[str, Any]]


@pytest.fixture(params=["local", "remote"])
def server(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A server that the client starts, and one over HTTP with a token."""
    found: dict[str, Any] = request.getfixturevalue(request.param)
    return found


def target(server: dict[str, Any]) -> list[str]:
    """Return how the inspector is pointed at a server."""
    if "url" in server:
        return [server["url"], "--header", f"Authorization: {server['headers']['Authorization']}"]
    return [server["command"], *server["args"], "-e", "GROUNDKIT_PROFILE=engineer"]


def first_source(result: dict[str, Any]) -> str:
    source: str = result["structuredContent"]["results"][0]["citation"]["source"]
    return source


def test_the_typescript_sdk_lists_tools_and_searches(sdk: Client, server: dict[str, Any]) -> None:
    found = sdk(server)
    assert (found["server"], found["tools"]) == ("groundkit", TOOLS)
    assert first_source(found) == "guide/install.md"


def test_the_inspector_finds_the_tools_and_nothing_wrong_with_their_schemas(
    inspector: Client, server: dict[str, Any]
) -> None:
    found = inspector(*target(server), "--method", "tools/list", "--strict")
    assert [tool["name"] for tool in found["tools"]] == TOOLS


def test_the_inspector_searches(inspector: Client, server: dict[str, Any]) -> None:
    call = ("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=zebra engine")
    assert first_source(inspector(*target(server), *call)) == "guide/install.md"


def test_the_typescript_sdk_without_a_token_is_refused(sdk: Client, remote: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=r"Unauthorized|401"):
        sdk({"url": remote["url"], "headers": {}})
