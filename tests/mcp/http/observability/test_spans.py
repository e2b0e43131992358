from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from groundkit_core.contracts import CollectionList, Contract
from groundkit_mcp import Operation
from groundkit_mcp.observability.spans import ALLOWED, set_attributes
from groundkit_mcp.operations.inputs import CollectionsInput

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Served
    from tests.mcp.http.observability.conftest import Observed

    from groundkit_mcp.calls import Call


def test_a_request_is_one_server_span_with_a_child_for_each_stage(
    observed: Observed, start_service: Callable[..., Served]
) -> None:
    start_service().search("install the zebra engine")
    (request,) = (span for span in observed.spans if span.kind is SpanKind.SERVER)
    stages = {span.name: span for span in observed.spans if span is not request}
    assert set(stages) == {"groundkit queue", "groundkit handler"}
    assert request.context is not None
    for stage in stages.values():
        assert stage.parent is not None
        assert stage.parent.span_id == request.context.span_id
    found = dict(request.attributes or {})
    assert set(found) == set(ALLOWED) - {"error.type"}
    assert found["groundkit.operation"] == "search"
    assert found["groundkit.search.outcome"] == "ok"
    assert found["http.response.status_code"] == 200


def test_a_request_joins_the_trace_of_its_caller_but_not_its_state(
    observed: Observed, start_service: Callable[..., Served]
) -> None:
    headers = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01", "tracestate": "x=y"}
    start_service().get("/v1/collections", headers=headers)
    assert {span.context.trace_id for span in observed.spans if span.context} == {int("a" * 32, 16)}
    assert not any(span.context.trace_state for span in observed.spans if span.context)


def test_only_faults_of_the_service_are_errors(
    observed: Observed, start_service: Callable[..., Served]
) -> None:
    served = start_service(operations=[BROKEN])
    served.get("/v1/chunks/none")
    served.get("/v1/broken")
    missing, broken = (span for span in observed.spans if span.kind is SpanKind.SERVER)
    assert missing.status.status_code is StatusCode.UNSET
    assert (missing.attributes or {})["error.type"] == "route_not_found"
    assert broken.status.status_code is StatusCode.ERROR
    assert broken.status.description == "internal"
    assert not any(span.events for span in observed.spans)


def test_attributes_that_are_not_allowed_are_dropped(observed: Observed) -> None:
    with trace.get_tracer("test").start_as_current_span("test") as span:
        set_attributes(span, {"query": "x", "groundkit.surface": 1, "groundkit.outcome": "ok"})
    assert dict(observed.spans[-1].attributes or {}) == {"groundkit.outcome": "ok"}


def broken(_call: Call, _given: CollectionsInput) -> Contract:
    raise RuntimeError("secret")


BROKEN = Operation(
    name="broken",
    title="Broken",
    summary="Fails.",
    guidance="Never use it.",
    input_model=CollectionsInput,
    output_model=CollectionList,
    handler=broken,
    method="GET",
    path="/v1/broken",
)
