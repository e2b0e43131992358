"""Serves the Markdown corpus over HTTP and prints latency, throughput and memory.

python -m scripts.serving [--corpus DIR|TAR] [--requests N] [--embed]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
from scripts.bench.corpus import locate, materialize
from scripts.bench.queries import draw
from scripts.bench.stats import percentile

from groundkit_core.settings import load_settings
from groundkit_index import ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_retrieval.opening import open_collection

_CLIENTS = 8
_LISTENS = re.compile(r"http://127\.0\.0\.1:\d+")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, help="folder or archive of Markdown files")
    parser.add_argument("--requests", type=int, default=2_000, help="of the eight clients")
    parser.add_argument("--embed", action="store_true", help="hybrid, with the hash embedder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        docs = materialize(locate(arguments.corpus), folder / "docs")
        queries = [query.text for query in draw(docs)]
        ingest(docs, index_dir=folder / "index")
        if arguments.embed:
            embed(index_dir=folder / "index", embedder=EmbedderSettings("hash"))
        print(f"load {os.getloadavg()[0]:.1f}; {len(queries)} queries")
        inside = _in_process(folder / "index", queries)
        _print("in this process", inside)
        with _serving(folder) as (server, url):
            _over_http(url, queries, arguments.requests, server.pid, percentile(inside, 50))


def _in_process(index_dir: Path, queries: Sequence[str]) -> list[float]:
    with open_collection(load_settings(index_dir=index_dir)) as collection:
        collection.search(queries[0])
        return _times(collection.search, queries)


def _over_http(url: str, queries: Sequence[str], total: int, pid: int, inside: float) -> None:
    with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:

        def ask(query: str) -> None:
            client.post("/v1/search", json={"query": query}).raise_for_status()

        ask(queries[0])
        alone = _times(ask, queries)
    _print("REST, one client", alone)
    print(f"- p50 over that in the process: {percentile(alone, 50) - inside:.2f} ms (limit 3)")
    before = _resident(pid)
    started = time.perf_counter()
    with ThreadPoolExecutor(_CLIENTS) as pool:
        shares = list(
            pool.map(_client, [(url, queries, total // _CLIENTS, n) for n in range(_CLIENTS)])
        )
    seconds = time.perf_counter() - started
    together = [value for times, _ in shares for value in times]
    _print(f"REST, {_CLIENTS} clients", together)
    failed = sum(failures for _, failures in shares)
    print(f"- {len(together) / seconds:.0f} requests a second (limit 150), {failed} failed")
    print(f"- resident memory {before} -> {_resident(pid)} MB over {len(together)} requests")


def _client(share: tuple[str, Sequence[str], int, int]) -> tuple[list[float], int]:
    url, queries, count, first = share
    times, failed = [], 0
    with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
        for number in range(count):
            query = queries[(first + number * _CLIENTS) % len(queries)]
            started = time.perf_counter()
            failed += client.post("/v1/search", json={"query": query}).status_code != 200
            times.append(1000 * (time.perf_counter() - started))
    return times, failed


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    env = {
        **os.environ,
        "GROUNDKIT_PROFILE": "engineer",
        "GROUNDKIT_INDEX_DIR": str(folder / "index"),
    }
    command = [sys.executable, "-m", "groundkit_mcp", "serve", "--http", "--port", "0"]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server, _address(server)
        finally:
            server.terminate()


def _address(server: subprocess.Popen[str]) -> str:
    for line in server.stderr or ():
        if found := _LISTENS.search(line):
            return found[0]
    raise RuntimeError("the server did not say where it listens")


def _times(ask: Callable[[str], object], queries: Sequence[str]) -> list[float]:
    """Return the milliseconds that each query takes."""
    times = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append(1000 * (time.perf_counter() - started))
    return times


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def _print(name: str, times: Sequence[float]) -> None:
    shown = ", ".join(f"p{p} {percentile(times, p):.2f} ms" for p in (50, 95, 99))
    print(f"{name}: {shown}")


if __name__ == "__main__":
    main()
