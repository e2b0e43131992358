"""What a tool refuses, and what it says then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp import MCPError

if TYPE_CHECKING:
    from tests.mcp.conftest import Caller

CANARY = "xyzzycanary"


@pytest.mark.parametrize("limit", [0, 21, -1, 10**9, "8", 8.0, True, None, [8], 1.5])
def test_limit_is_an_integer_from_1_to_20(caller: Caller, limit: object) -> None:
    answer = caller.call("search", query="zebra", limit=limit)
    assert (answer.failed, answer.kind) == (True, "invalid_request")
    assert answer.text.startswith("invalid_request: limit: ")


@pytest.mark.parametrize("limit", [1, 20])
def test_limits_at_the_bounds_are_served(caller: Caller, limit: int) -> None:
    assert not caller.call("search", query="zebra", limit=limit).failed


@pytest.mark.parametrize(
    "query",
    ["", "   ", "\u200b\u200b", "\u202e\u2066", "\x00\x01", "x" * 501, "x " * 1500, 7, None, ["x"]],
)
def test_query_has_1_to_500_visible_characters(caller: Caller, query: object) -> None:
    answer = caller.call("search", query=query)
    assert (answer.failed, answer.kind) == (True, "invalid_request")
    assert "query: " in answer.text


@pytest.mark.parametrize(
    "query", ["NEAR(", '"', "*", "col:zebra", "-zebra", "zebra AND NOT", "'); DROP TABLE chunks;--"]
)
def test_query_syntax_is_plain_text(caller: Caller, query: str) -> None:
    assert not caller.call("search", query=query).failed


@pytest.mark.parametrize(
    ("tool", "given", "named"),
    [
        ("search", {"query": "zebra", "mode": CANARY}, "mode"),
        ("search", {"query": "zebra", "source_class": CANARY}, "source_class"),
        ("search", {"query": "zebra", "confidence": CANARY}, "confidence"),
        ("search", {"query": "zebra", "project": f"../{CANARY}"}, "project"),
        ("search", {"query": "zebra", "collection": f"../{CANARY}"}, "collection"),
        ("search", {"query": CANARY * 50}, "query"),
        ("search", {"query": "zebra", CANARY: 1}, "an argument is unknown"),
        ("search", {"query": "zebra", "index_dir": f"/{CANARY}"}, "an argument is unknown"),
        ("search", {"query": "zebra", "profile": CANARY}, "an argument is unknown"),
        ("search", {CANARY: "zebra"}, "query"),
        ("fetch_chunk", {"chunk_id": CANARY * 20}, "chunk_id"),
        ("fetch_chunk", {"chunk_id": "0" * 24, "context": CANARY}, "context"),
        ("fetch_chunk", {"chunk_id": "0" * 24, "context": 51}, "context"),
        ("list_sources", {"limit": 101}, "limit"),
        ("list_sources", {"offset": -1}, "offset"),
        ("list_sources", {"project": CANARY + "\n"}, "project"),
        ("list_collections", {"offset": "0"}, "offset"),
        ("index_status", {"collection": f"{CANARY}/.."}, "collection"),
    ],
)
def test_an_invalid_argument_is_named_and_its_value_not_repeated(
    caller: Caller, tool: str, given: dict[str, Any], named: str
) -> None:
    answer = caller.call(tool, **given)
    assert (answer.failed, answer.kind) == (True, "invalid_request")
    assert named in answer.text
    assert CANARY not in answer.text
    assert "\n" not in answer.text


def test_an_unknown_tool_is_refused_without_repeating_it(caller: Caller) -> None:
    with pytest.raises(MCPError) as caught:
        caller.call(CANARY)
    error = caught.value.error
    assert (error.code, error.data["kind"]) == (-32602, "invalid_request")
    assert "list_sources" in error.message
    assert CANARY not in str(error)


def test_null_counts_as_left_out_where_an_argument_is_optional(caller: Caller) -> None:
    answer = caller.call("search", query="zebra", mode=None, project=None, collection=None)
    assert answer.data["metadata"]["collection"] == "default"
