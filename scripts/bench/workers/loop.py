"""What both warm-search programs share; standard library only."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.bench.process import resident_bytes

LIMIT = 8
WARM_UP = "warm up before the clock starts"


class Stopwatch:
    """Gathers the time and the number of results of each query."""

    def __init__(self) -> None:
        self._milliseconds: list[float] = []
        self._results: list[int] = []

    @contextmanager
    def query(self) -> Iterator[None]:
        """Time what happens inside as one query."""
        started = time.perf_counter_ns()
        yield
        self._milliseconds.append((time.perf_counter_ns() - started) / 1e6)

    def found(self, results: int) -> None:
        """Note how many results the query had."""
        self._results.append(results)

    def report(self) -> None:
        """Print the gathered figures and the memory held now, as JSON."""
        figures = {
            "milliseconds": self._milliseconds,
            "results": self._results,
            "resident_bytes": resident_bytes(),
        }
        print(json.dumps(figures))


def arguments() -> tuple[Path, list[str]]:
    """The index folder and the queries, from `INDEX QUERIES.json` on the command line."""
    index, queries = sys.argv[1:]
    return Path(index), json.loads(Path(queries).read_text(encoding="utf-8"))
