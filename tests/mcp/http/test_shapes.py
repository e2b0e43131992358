"""Passages as resources, the prompt, and the two-tool shape of hosted clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from groundkit_mcp import ServiceContext
from groundkit_mcp.operations.registry import TOOLSETS


@pytest.fixture
def connector(start_service: Callable[..., Any]) -> Any:
    return start_service(operations=TOOLSETS["connector"])


def test_a_passage_can_be_read_as_a_resource(open_service: Any) -> None:
    templates = open_service.rpc("resources/templates/list").json()["result"]["resourceTemplates"]
    assert [t["uriTemplate"] for t in templates] == ["groundkit://{collection}/chunks/{chunk_id}"]
    hit = open_service.search().json()["results"][0]
    uri = f"groundkit://default/chunks/{hit['chunk_id']}"
    (content,) = open_service.rpc("resources/read", {"uri": uri}).json()["result"]["contents"]
    assert hit["content"].strip() in content["text"]
    assert content["uri"] == uri


@pytest.mark.parametrize(
    "uri",
    [
        f"groundkit://default/chunks/{'0' * 24}",
        f"groundkit://nowhere/chunks/{'0' * 24}",
        "groundkit://default/chunks/..%2f..%2fetc",
        "groundkit://.hidden/chunks/x",
    ],
)
def test_a_resource_that_is_not_there_is_an_error_of_a_kind_and_no_trace(
    open_service: Any, uri: str
) -> None:
    answer = open_service.rpc("resources/read", {"uri": uri}).json()
    assert "result" not in answer
    assert "Traceback" not in json.dumps(answer)
    assert answer["error"]["code"] == -32602


def test_a_passage_that_is_not_there_has_the_kind_that_rest_tells(open_service: Any) -> None:
    rest = open_service.get(f"/v1/chunks/{'0' * 24}").json()
    uri = f"groundkit://default/chunks/{'0' * 24}"
    error = open_service.rpc("resources/read", {"uri": uri}).json()["error"]
    assert (error["data"]["kind"], error["message"]) == (rest["kind"], rest["detail"])
    assert "0" * 24 not in json.dumps(error)


def test_the_prompt_asks_for_citations_and_carries_the_question(open_service: Any) -> None:
    (prompt,) = open_service.rpc("prompts/list").json()["result"]["prompts"]
    assert (prompt["name"], [a["name"] for a in prompt["arguments"]]) == (
        "cited_answer",
        ["question"],
    )
    arguments = {"question": "why {braces} and 100 %?"}
    found = open_service.rpc("prompts/get", {"name": "cited_answer", "arguments": arguments})
    text = found.json()["result"]["messages"][0]["content"]["text"]
    assert text.endswith("Question: why {braces} and 100 %?")
    assert "`search`" in text


def test_the_connector_offers_search_and_fetch_alone(connector: Any) -> None:
    tools = connector.rpc("tools/list").json()["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["search", "fetch"]

    def call(name: str, **arguments: str) -> Any:
        answer = connector.rpc("tools/call", {"name": name, "arguments": arguments})
        return answer.json()["result"]

    found = call("search", query="zebra")
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"]
    first = found["structuredContent"]["results"][0]
    assert set(first) == {"id", "title", "url"}
    document = call("fetch", id=first["id"])["structuredContent"]
    assert (document["id"], document["url"]) == (first["id"], first["url"])
    assert "zebra" in document["text"].lower()
    assert document["metadata"]["verification"] == "verified"
    assert call("fetch", id="0" * 24)["isError"]
    assert call("search", query="​")["isError"]
    assert call("search", query="quasar xylophone nebula")["structuredContent"] == {"results": []}


def test_the_connector_is_held_to_the_profile(
    start_service: Callable[..., Any], service: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDKIT_PROFILE", "restricted")
    context = ServiceContext(service.index_dir)
    try:
        served = start_service(context, operations=TOOLSETS["connector"])
        arguments = {"name": "search", "arguments": {"query": "engine"}}
        found = served.rpc("tools/call", arguments).json()["result"]["structuredContent"]
        assert not any(hit["title"].endswith(".py") for hit in found["results"])
    finally:
        context.close()
