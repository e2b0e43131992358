"""Open the collection in this fresh process: `INDEX QUERIES.json`."""

from __future__ import annotations

import json
import time

from scripts.bench.workers.loop import arguments

# The modules are loaded before the clock starts.
import groundkit_retrieval.searching  # noqa: F401
from groundkit_retrieval import Collection


def main() -> None:
    """Print the milliseconds until the first read, and until the first answer."""
    index, queries = arguments()
    started = time.perf_counter()
    with Collection.open("default", index_dir=index) as collection:
        collection.root_folders()
        read = time.perf_counter()
        collection.search(queries[0], limit=10)
        answered = time.perf_counter()
    figures = {"read_ms": 1e3 * (read - started), "answer_ms": 1e3 * (answered - started)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
