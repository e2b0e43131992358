"""Metrics in a registry of their own; no label takes a word from a caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from groundkit_mcp.observability.vocabulary import OTHER, OUTCOMES, REFUSALS, Vocabulary
from groundkit_mcp.records import RequestRecord

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """What a scrape reads.

    Args:
        vocabulary: the words that may be labels.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "groundkit_requests",
            "Requests that have ended, by how.",
            ("surface", "operation", "outcome"),
            registry=registry,
        )
        self._seconds = Histogram(
            "groundkit_stage_seconds",
            "Seconds of a stage: waited for a thread, ran on it, and the whole request.",
            ("operation", "stage"),
            buckets=_BUCKETS,
            registry=registry,
        )
        self._searches = Counter(
            "groundkit_searches",
            "Searches, by `ok` or the reason for the absence.",
            ("outcome",),
            registry=registry,
        )
        self._abstentions = Counter(
            "groundkit_abstentions", "Searches that returned no passage.", registry=registry
        )
        self._degraded = Counter(
            "groundkit_degraded_searches", "Searches in which a branch failed.", registry=registry
        )
        self._refusals = Counter(
            "groundkit_refusals",
            "Requests that were turned away, by the kind of the error.",
            ("kind",),
            registry=registry,
        )
        self._running = Gauge("groundkit_calls_in_flight", "Calls on a thread.", registry=registry)
        self._queued = Gauge(
            "groundkit_calls_queued", "Calls that wait for a thread.", registry=registry
        )
        self._generation = Gauge(
            "groundkit_index_generation",
            "Generation of the catalog of an open collection.",
            ("collection",),
            registry=registry,
        )
        self._pending = Gauge(
            "groundkit_index_pending",
            "Changes that the derived indexes of an open collection have not taken up.",
            ("collection",),
            registry=registry,
        )
        for outcome in OUTCOMES:
            self._searches.labels(outcome)
        for kind in REFUSALS:
            self._refusals.labels(kind)

    def note(self, record: RequestRecord) -> None:
        """Take up a request that has ended."""
        operation = self._vocabulary.operation(record)
        self._requests.labels(record.surface, operation, self._vocabulary.outcome(record)).inc()
        self._seconds.labels(operation, "whole").observe(record.whole)
        if record.ran:  # else it never came to a thread
            self._seconds.labels(operation, "waited").observe(record.waited)
            self._seconds.labels(operation, "ran").observe(record.ran)
        if record.kind in REFUSALS:
            self._refusals.labels(record.kind).inc()
        if record.outcome is not None:
            self._note_search(record, record.outcome)

    def _note_search(self, record: RequestRecord, outcome: str) -> None:
        self._searches.labels(outcome if outcome in OUTCOMES else OTHER).inc()
        self._abstentions.inc(outcome != "ok")
        self._degraded.inc(record.degraded)

    def exposition(
        self, *, running: int, queued: int, collections: Mapping[str, tuple[int, int]]
    ) -> bytes:
        """Return all metrics as text.

        Args:
            running: calls on a thread now.
            queued: calls that wait for one.
            collections: generation and pending changes of each open collection.
        """
        self._running.set(running)
        self._queued.set(queued)
        _set(self._generation, ((name, facts[0]) for name, facts in collections.items()))
        _set(self._pending, ((name, facts[1]) for name, facts in collections.items()))
        return generate_latest(self._registry)


def _set(gauge: Gauge, values: Iterable[tuple[str, int]]) -> None:
    gauge.clear()
    for name, value in values:
        gauge.labels(name).set(value)
