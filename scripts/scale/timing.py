"""Times of the same calls over several rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from scripts.bench.stats import percentile

Call = Callable[[int], object]
"""Answers the query of a number."""

Percentiles = dict[str, float]


def in_turn(calls: Mapping[str, Call], queries: int, rounds: int) -> dict[str, Percentiles]:
    """Time every call on every query, the calls side by side so that drift hits all alike.

    The figure of a query is the best of its rounds: what else runs can only add to it.

    Args:
        calls: what to time, by name.
        queries: how many queries there are.
        rounds: how often each is asked.

    Returns:
        By name: `p50_ms` and `p95_ms` of wall time, `cpu_p50_ms` and `cpu_p95_ms` of the
        processor time of the calling thread.
    """
    taken: dict[str, list[list[tuple[float, float]]]] = {
        name: [[] for _ in range(queries)] for name in calls
    }
    for _ in range(rounds):
        for number in range(queries):
            for name, call in calls.items():
                taken[name][number].append(_timed(call, number))
    return {name: _percentiles(of_queries) for name, of_queries in taken.items()}


def _timed(call: Call, number: int) -> tuple[float, float]:
    wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
    call(number)
    spent = time.thread_time_ns() - cpu
    return (time.perf_counter_ns() - wall) / 1e6, spent / 1e6


def _percentiles(of_queries: Sequence[Sequence[tuple[float, float]]]) -> Percentiles:
    wall = [min(one[0] for one in rounds) for rounds in of_queries]
    cpu = [min(one[1] for one in rounds) for rounds in of_queries]
    return {
        "p50_ms": percentile(wall, 50),
        "p95_ms": percentile(wall, 95),
        "cpu_p50_ms": percentile(cpu, 50),
        "cpu_p95_ms": percentile(cpu, 95),
    }
