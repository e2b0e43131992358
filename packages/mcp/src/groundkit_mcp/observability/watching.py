"""Observes a request from its first byte to its last."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from opentelemetry.context import Context

from groundkit_mcp.observability.counters import Counters
from groundkit_mcp.observability.spans import request_span
from groundkit_mcp.observability.vocabulary import Vocabulary
from groundkit_mcp.records import RequestRecord

Sink = Callable[[RequestRecord], None]


class Watch:
    """Traces requests, and tells counters and sinks of each that has ended.

    Args:
        vocabulary: the words that may be told.
        counters: counts them in any case.
        sinks: metrics, an access log.
    """

    def __init__(
        self, vocabulary: Vocabulary, counters: Counters, sinks: Sequence[Sink] = ()
    ) -> None:
        self._vocabulary = vocabulary
        self._counters = counters
        self._sinks = tuple(sinks)

    @contextmanager
    def request(self, record: RequestRecord, parent: Context | None = None) -> Iterator[None]:
        """Observe one request while it is answered.

        Args:
            record: where the layers below note what it came to.
            parent: the trace it belongs to [a new one].
        """
        started = time.monotonic()
        with request_span(record, self._vocabulary, parent):
            try:
                yield
            finally:
                record.whole = time.monotonic() - started
                self._counters.note(record)
                for sink in self._sinks:
                    sink(record)
