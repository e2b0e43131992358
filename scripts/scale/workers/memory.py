"""Hold the collection open and search it: `INDEX QUERIES.json`."""

from __future__ import annotations

import json
from pathlib import Path

from scripts.bench.process import resident_bytes
from scripts.bench.workers.loop import arguments

from groundkit_retrieval import Collection


def main() -> None:
    """Print the resident set after all queries, and the part of it that is no mapped file."""
    index, queries = arguments()
    with Collection.open("default", index_dir=index) as collection:
        for query in queries:
            collection.search(query, limit=10)
        figures = {"resident_bytes": resident_bytes(), "anonymous_bytes": _anonymous_bytes()}
    print(json.dumps(figures))


def _anonymous_bytes() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    main()
