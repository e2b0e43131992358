"""OpenTelemetry spans: one a request, one a stage; what they may hold is listed here.

Only the API is used. Without an SDK in the process nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from groundkit_mcp.observability.vocabulary import OTHER, OUTCOMES, Vocabulary
from groundkit_mcp.records import RequestRecord

ALLOWED: Mapping[str, type] = {
    "groundkit.surface": str,
    "groundkit.operation": str,
    "groundkit.outcome": str,
    "groundkit.search.outcome": str,
    "groundkit.search.mode": str,
    "groundkit.search.results": int,
    "groundkit.search.degraded": bool,
    "groundkit.took_ms": float,
    "http.response.status_code": int,
    "error.type": str,
}
"""The attributes that a span may have, and their types."""

_MODES = frozenset({"lexical", "dense", "hybrid"})
_PARENT = "traceparent"

_tracer = trace.get_tracer("groundkit_mcp")
_propagator = TraceContextTextMapPropagator()


def parent_of(headers: list[tuple[bytes, bytes]]) -> Context | None:
    """Return the trace that a request says it belongs to.

    Only the ids are read: `tracestate` and baggage are free text of the caller.
    """
    found = [value.decode("latin-1") for name, value in headers if name == _PARENT.encode()]
    return _propagator.extract({_PARENT: found[0]}, Context()) if len(found) == 1 else None


@contextmanager
def request_span(
    record: RequestRecord, vocabulary: Vocabulary, parent: Context | None
) -> Iterator[None]:
    """Trace one request; what it came to is read from the record at the end."""
    with _tracer.start_as_current_span(
        "groundkit request",
        context=parent,
        kind=SpanKind.SERVER,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        finally:
            if span.is_recording():
                span.update_name(f"groundkit {vocabulary.operation(record)}")
                set_attributes(span, _described(record, vocabulary))
                if vocabulary.failed(record):
                    span.set_status(Status(StatusCode.ERROR, vocabulary.outcome(record)))


def start_stage(stage: Literal["queue", "handler"]) -> Span:
    """Return the started span of one stage of the current request; whoever asks ends it."""
    return _tracer.start_span(f"groundkit {stage}")


@contextmanager
def stage_span(stage: Literal["queue", "handler"]) -> Iterator[None]:
    """Trace one stage of the current request."""
    with trace.use_span(
        start_stage(stage),
        end_on_exit=True,
        record_exception=False,
        set_status_on_exception=False,
    ):
        yield


def set_attributes(span: Span, values: Mapping[str, object]) -> None:
    """Set those attributes that are allowed and of the type that they must have."""
    for name, value in values.items():
        if name in ALLOWED and type(value) is ALLOWED[name]:
            span.set_attribute(name, value)  # type: ignore[arg-type]


def _described(record: RequestRecord, vocabulary: Vocabulary) -> dict[str, object]:
    outcome = vocabulary.outcome(record)
    found: dict[str, object] = {
        "groundkit.surface": record.surface,
        "groundkit.operation": vocabulary.operation(record),
        "groundkit.outcome": outcome,
        "groundkit.took_ms": round(record.whole * 1000, 3),
        "http.response.status_code": record.status,
        "error.type": None if outcome == "ok" else outcome,
    }
    if record.outcome is not None:
        found |= {
            "groundkit.search.outcome": record.outcome if record.outcome in OUTCOMES else OTHER,
            "groundkit.search.mode": record.mode if record.mode in _MODES else OTHER,
            "groundkit.search.results": record.results,
            "groundkit.search.degraded": record.degraded,
        }
    return found
