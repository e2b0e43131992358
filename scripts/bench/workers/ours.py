"""Time warm searches through the library, each hit verified against its source."""

from __future__ import annotations

from scripts.bench.workers.loop import LIMIT, WARM_UP, Stopwatch, arguments

from groundkit_retrieval import Collection


def main() -> None:
    """Search every query once in one open collection."""
    index, queries = arguments()
    watch = Stopwatch()
    with Collection.open("default", index_dir=index) as collection:
        collection.search(WARM_UP, limit=LIMIT)
        for query in queries:
            with watch.query():
                response = collection.search(query, limit=LIMIT)
            watch.found(len(response.results))
        watch.report()


if __name__ == "__main__":
    main()
