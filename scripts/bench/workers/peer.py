"""Time warm BM25 searches through the peer's library, the way its own service does."""

from __future__ import annotations

import asyncio

from groundkit.runtime import CollectionRuntime  # type: ignore[import-not-found]
from scripts.bench.workers.loop import LIMIT, WARM_UP, Stopwatch, arguments


async def main() -> None:
    """Search every query once; `acquire` checks for a newer index, as ours does."""
    index, queries = arguments()
    watch = Stopwatch()
    runtime = await CollectionRuntime.open(index, "default")
    try:
        await (await runtime.acquire()).retriever.search(WARM_UP, top_k=LIMIT)
        for query in queries:
            with watch.query():
                acquired = await runtime.acquire()
                response = await acquired.retriever.search(query, top_k=LIMIT)
            watch.found(len(response.results))
        watch.report()
    finally:
        await runtime.aclose()


if __name__ == "__main__":
    asyncio.run(main())
