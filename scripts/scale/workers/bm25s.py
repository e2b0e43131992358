"""Time bm25s in its own environment: `ROWS ASKED.json ROUNDS`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import bm25s  # type: ignore[import-not-found]
from scripts.bench.process import resident_bytes
from scripts.scale.rows import read_rows
from scripts.scale.timing import Call, in_turn

try:
    import numba  # type: ignore[import-not-found]

    BACKEND = f"numba {numba.__version__}"
except ImportError:
    BACKEND = "numpy"


def main() -> None:
    """Index the bodies, search them, and print what it took."""
    rows, asked, rounds = sys.argv[1:]
    queries = json.loads(Path(asked).read_text(encoding="utf-8"))
    started = time.perf_counter()
    engine, vocabulary = _build(Path(rows))
    seconds = time.perf_counter() - started
    known = [[vocabulary[token] for token in query if token in vocabulary] for query in queries]
    held = engine.scores["num_docs"]
    calls = {f"bm25s_{k}": _retrieve(engine, known, min(k, held)) for k in (10, 100)}
    for call in calls.values():
        call(0)  # numba compiles at the first call
    times = in_turn(calls, len(queries), int(rounds))
    figures = {
        "version": bm25s.__version__,
        "backend": BACKEND,
        "seconds": seconds,
        "resident_bytes": resident_bytes(),
        "times": times,
    }
    print(json.dumps(figures))


def _build(rows: Path) -> tuple[bm25s.BM25, dict[str, int]]:
    vocabulary: dict[str, int] = {}
    number = vocabulary.setdefault
    ids = [[number(t, len(vocabulary)) for t in row.body.split()] for row in read_rows(rows)]
    backend = "numba" if BACKEND.startswith("numba") else "numpy"
    engine = bm25s.BM25(k1=1.2, b=0.75, method="lucene", backend=backend)
    engine.index((ids, dict(vocabulary)), show_progress=False)
    return engine, vocabulary


def _retrieve(engine: bm25s.BM25, known: list[list[int]], k: int) -> Call:
    def call(number: int) -> object:
        if not known[number]:
            return None
        return engine.retrieve([known[number]], k=k, show_progress=False)

    return call


if __name__ == "__main__":
    main()
