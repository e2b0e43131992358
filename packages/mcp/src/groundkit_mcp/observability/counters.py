"""Counts over all callers since the start."""

from __future__ import annotations

import threading

from groundkit_mcp.observability.vocabulary import REFUSALS
from groundkit_mcp.operations.outputs import ServiceCounters
from groundkit_mcp.records import RequestRecord


class Counters:
    """Counts what requests came to; never who asked, nor what."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = ServiceCounters()

    def note(self, record: RequestRecord) -> None:
        """Take up a request that has ended."""
        searched = record.outcome is not None
        answered = record.outcome == "ok"
        more = {
            "searches": searched,
            "answered": answered,
            "abstained": searched and not answered,
            "degraded": searched and record.degraded,
            "refused": record.kind in REFUSALS,
        }
        with self._lock:
            counted = {name: getattr(self._counts, name) + more[name] for name in more}
            self._counts = ServiceCounters(**counted)

    def totals(self) -> ServiceCounters:
        """Return the counts of now."""
        return self._counts
