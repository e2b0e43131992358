from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import fastmcp
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from groundkit_mcp.logs import LineFormatter
from groundkit_mcp.observability.access_log import NAME
from groundkit_mcp.observability.json_logs import json_formatter


@pytest.fixture(scope="session")
def exporter() -> InMemorySpanExporter:
    found = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(found))
    trace.set_tracer_provider(provider)
    return found


@dataclass
class Observed:
    """All that a service under test tells its operators."""

    exporter: InMemorySpanExporter
    lines: io.StringIO = field(default_factory=io.StringIO)
    objects: io.StringIO = field(default_factory=io.StringIO)

    @property
    def spans(self) -> list[ReadableSpan]:
        """Those of the server; a client in this process has its own."""
        until = time.monotonic() + 1.0  # a span ends a moment after its answer has arrived
        found = self.exporter.get_finished_spans()
        while time.monotonic() < until and not any(s.kind is SpanKind.SERVER for s in found):
            time.sleep(0.01)
            found = self.exporter.get_finished_spans()
        return [span for span in found if span.kind is not SpanKind.CLIENT]

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.objects.getvalue().splitlines()]

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event["logger"] == NAME]


@pytest.fixture
def observed(exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch) -> Iterator[Observed]:
    """What is traced and logged meanwhile, with the settings that `serve` makes."""
    monkeypatch.setattr(fastmcp.settings, "telemetry_mode", "off")
    exporter.clear()
    found = Observed(exporter)
    root, access = logging.getLogger(), logging.getLogger(NAME)
    handlers = [logging.StreamHandler(found.lines), logging.StreamHandler(found.objects)]
    handlers[0].setFormatter(LineFormatter(debug=False))
    handlers[1].setFormatter(json_formatter(debug=False))
    for handler in handlers:
        root.addHandler(handler)
    access.setLevel(logging.INFO)
    yield found
    access.setLevel(logging.NOTSET)
    for handler in handlers:
        root.removeHandler(handler)
