"""Neither words of a document nor of a caller occur in spans, logs and metrics."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from mcp import MCPError

from groundkit_core.contracts import CollectionList, Contract
from groundkit_index import ingest
from groundkit_mcp import OPERATIONS, Operation, ServiceContext
from groundkit_mcp.observability.access_log import FIELDS
from groundkit_mcp.operations.inputs import SearchInput

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer
    from tests.mcp.http.conftest import Served
    from tests.mcp.http.observability.conftest import Observed

    from groundkit_mcp.calls import Call

IN_DOCUMENT, IN_QUERY = "plumquartz", "vexilorum"
QUERY = f"How is the {IN_DOCUMENT} pump primed? {IN_QUERY}"


def explode(call: Call, given: SearchInput) -> Contract:
    found = call.service.seen("default", call.caller).search(IN_DOCUMENT)
    raise RuntimeError(f"{given.query}: {found.results[0]}")


EXPLODE = Operation(
    name="explode",
    title="Explode",
    summary="Fails.",
    guidance="Never use it.",
    input_model=SearchInput,
    output_model=CollectionList,
    handler=explode,
    method="POST",
    path="/v1/explode",
    scope="search",
)
OFFERED = (*OPERATIONS, EXPLODE)


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceContext]:
    """A service over one document that is marked in its name, its heading and its text."""
    folder = tmp_path_factory.mktemp("marked")
    (folder / "docs").mkdir()
    text = f"# The {IN_DOCUMENT} pump\n\nThe {IN_DOCUMENT} pump is primed with water.\n"
    (folder / f"docs/{IN_DOCUMENT}.md").write_text(text, encoding="utf-8")
    ingest(folder / "docs", index_dir=folder / "index", collection="default")
    context = ServiceContext(folder / "index")
    yield context
    context.close()


def check(observed: Observed, *texts: str) -> None:
    spans = [json.loads(span.to_json()) for span in observed.spans]
    told = [json.dumps(spans), observed.lines.getvalue(), observed.objects.getvalue(), *texts]
    for mark in (IN_DOCUMENT, IN_QUERY):
        assert not [text for text in told if mark in text.lower()]
    assert not [span for span in spans if span["events"]]


def tool_calls(chunk_id: str) -> list[tuple[str, dict[str, Any], bool]]:
    """Return tool, arguments, and whether the call fails."""
    return [
        ("search", {"query": QUERY}, False),
        ("search", {"query": IN_QUERY}, False),
        ("search", {"query": QUERY, IN_QUERY: 1}, True),
        ("search", {"query": QUERY, "mode": IN_QUERY}, True),
        ("search", {"query": QUERY, "collection": IN_QUERY}, True),
        ("fetch_chunk", {"chunk_id": chunk_id}, False),
        ("fetch_chunk", {"chunk_id": IN_QUERY}, True),
        ("list_sources", {}, False),
        ("explode", {"query": QUERY}, True),
    ]


def test_stdio_tells_its_operator_no_word_of_caller_or_document(
    observed: Observed, marked: ServiceContext, ask: Callable[..., Answer]
) -> None:
    first = ask(marked, "search", operations=OFFERED, query=QUERY)
    assert IN_DOCUMENT in first.text
    for tool, arguments, fails in tool_calls(first.data["results"][0]["chunk_id"]):
        assert ask(marked, tool, operations=OFFERED, **arguments).failed is fails
    with pytest.raises(MCPError):
        ask(marked, IN_QUERY, operations=OFFERED, query=QUERY)
    assert "RuntimeError at explode" in observed.lines.getvalue()
    assert {"groundkit search", "groundkit explode", "groundkit other", "groundkit handler"} <= {
        span.name for span in observed.spans
    }
    check(observed)


def test_http_tells_its_operator_no_word_of_caller_or_document(
    observed: Observed, marked: ServiceContext, start_service: Callable[..., Served]
) -> None:
    served = start_service(marked, operations=OFFERED)
    first = served.search(QUERY)
    assert IN_DOCUMENT in first.text
    chunk_id = first.json()["results"][0]["chunk_id"]
    for tool, arguments, fails in tool_calls(chunk_id):
        result = served.rpc("tools/call", {"name": tool, "arguments": arguments}).json()["result"]
        assert bool(result.get("isError")) is fails
    served.rpc("tools/call", {"name": IN_QUERY, "arguments": {"query": QUERY}})
    for collection, chunk in (("default", chunk_id), ("default", IN_QUERY), (IN_QUERY, "a")):
        served.rpc("resources/read", {"uri": f"groundkit://{collection}/chunks/{chunk}"})
    served.rpc("resources/read", {"uri": f"file:///{IN_QUERY}"})
    served.rpc(f"tools/{IN_QUERY}", {"name": IN_QUERY})
    served.rpc("tools/call", {"name": [IN_QUERY]})
    served.post_mcp(f'{{"{IN_QUERY}": ')
    answers = [
        served.get(f"/v1/chunks/{chunk_id}"),
        served.get(f"/v1/chunks/{IN_QUERY}"),
        served.get(f"/v1/sources?{IN_QUERY}=1"),
        served.get(f"/{IN_QUERY}?q={IN_QUERY}"),
        served.client.post("/v1/search", content=f'{{"query": "{IN_QUERY}'),
        served.client.post("/v1/explode", json={"query": QUERY}),
        served.client.request(IN_QUERY.upper(), "/v1/search"),
        served.get("/v1/sources", headers={"host": f"{IN_QUERY}.example"}),
        served.get("/v1/sources", headers={"origin": f"http://{IN_QUERY}.example"}),
        served.get("/v1/sources", headers={"user-agent": IN_QUERY, "x-request-id": IN_QUERY}),
        served.get(
            "/v1/sources",
            headers={
                "authorization": f"Bearer {IN_QUERY}",
                "traceparent": f"00-{'a' * 32}-{'b' * 16}-01",
                "tracestate": f"{IN_QUERY}={IN_QUERY}",
                "baggage": f"{IN_QUERY}={IN_QUERY}",
            },
        ),
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 404, 422, 404, 415, 500, 405, 421, 403, 200, 200]
    served.raw(f"GET /{IN_QUERY} HTTP/9\r\n\r\n".encode())
    metrics = served.get("/metrics").text
    assert "RuntimeError at explode" in observed.lines.getvalue()
    assert any(span.name == "groundkit search" for span in observed.spans)
    assert {event["surface"] for event in observed.requests} == {"mcp", "rest", "other"}
    check(observed, metrics)


def test_a_line_of_the_access_log_has_its_fields_and_no_others(
    observed: Observed, marked: ServiceContext, start_service: Callable[..., Served]
) -> None:
    answer = start_service(marked).search(QUERY)
    (line,) = observed.requests
    assert set(line) == {*FIELDS, "event", "level", "logger", "timestamp"}
    assert line["request_id"] == answer.headers["x-request-id"]
    told = [line[name] for name in ("surface", "operation", "status", "kind", "event")]
    assert told == ["rest", "search", 200, "ok", "request"]
    assert 0 < line["ran_ms"] < line["whole_ms"]
