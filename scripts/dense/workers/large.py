"""The index of a large table beside a scan: `make FOLDER QUERIES.npy ROWS` or `ask ... COUNT`.

`make` writes vectors around the queries' centres and indexes them; `ask` compares.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from scripts.dense.exact import PAGE, recall
from scripts.dense.synthetic import SEED, Matrix, scattered
from scripts.dense.workers.latency import DEPTH, FILTERS
from scripts.scale.corpora import project_of
from scripts.scale.timing import in_turn

from groundkit_core.filters import DocumentFilter
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.searcher import VectorIndex
from groundkit_index.vectors.slab import Label, Slab
from groundkit_index.vectors.slab_writer import SlabWriter
from groundkit_index.vectors.table import VectorTable

_PORTION = 5_000
_TAIL = 50


def make(version: VersionPaths, centres: Matrix, rows: int) -> dict[str, float]:
    """Fill table and flat copy, index the table, and add a few rows behind the index."""
    table, slab = (
        VectorTable(version.vectors, centres.shape[1]),
        SlabWriter(version.slab, centres.shape[1]),
    )
    for first in range(0, rows, _PORTION):
        _append(table, slab, centres, first, min(_PORTION, rows - first))
    started = time.perf_counter()
    table.optimize(most_scanned=rows - 1)
    seconds = time.perf_counter() - started
    _append(table, slab, centres, rows, _TAIL)
    return {"seconds": seconds}


def _append(table: VectorTable, slab: SlabWriter, centres: Matrix, first: int, count: int) -> None:
    vectors = scattered(centres, count, np.random.default_rng(SEED + first))
    numbers = range(first, first + count)
    labels = [Label(n + 1, "docs", project_of(n), n.to_bytes(16, "big")) for n in numbers]
    for place in (table, slab):
        place.commit([], labels, vectors)


def ask(version: VersionPaths, queries: Matrix) -> dict[str, float]:
    """Return recall@10 and p50 of the index with a scan for narrow filters, and of the scan."""
    slab, rows = Slab.open(version.slab), len(queries)
    # One row less than there are, so that the index answers all but narrow filters.
    index = VectorIndex(version, queries.shape[1], most_scanned=len(slab.labels) - 1)
    figures = {
        f"recall_{name}": recall(index.search, slab, queries, project)
        for name, project in FILTERS.items()
    }
    everything = DocumentFilter.of("all")
    times = in_turn(
        {
            "index": lambda n: index.search(queries[n], everything, DEPTH),
            "scan": lambda n: slab.search(queries[n], everything, DEPTH),
        },
        rows,
        3,
    )
    figures |= {f"{name}_p50_ms": percentiles["p50_ms"] for name, percentiles in times.items()}
    late = slab.vectors[-_TAIL:]
    found = [index.search(vector, everything, PAGE)[0][0] for vector in late]
    figures["tail_found"] = float(np.mean(np.asarray(found) == slab.labels["key"][-_TAIL:]))
    return figures


def main() -> None:
    """Do the one or the other, and print its figures."""
    what, folder, queries, count = sys.argv[1:]
    version, vectors = VersionPaths(Path(folder)), np.load(queries)
    found = (
        make(version, vectors, int(count))
        if what == "make"
        else ask(version, vectors[: int(count)])
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
