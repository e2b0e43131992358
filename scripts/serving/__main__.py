"""Serves the Markdown corpus and prints latency, throughput, memory and delay of the event loop.

python -m scripts.serving [--corpus DIR|TAR] [--requests N] [--peer]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from scripts.bench.corpus import locate, materialize
from scripts.bench.machine import describe
from scripts.bench.queries import draw
from scripts.bench.systems import Peer
from scripts.serving.clients import Ask, Timed, mcp_http, mcp_stdio, rest, timed

from groundkit_core.settings import load_settings
from groundkit_index import ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_retrieval.opening import open_collection

_CLIENTS = 8
_ALONE = 1_000
_ROW = "| {:<34} | {:>8} | {:>8} | {:>8} | {:>10} | {} |"
_LISTENS = re.compile(r"http://127\.0\.0\.1:\d+")


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, help="folder or archive of Markdown files")
    parser.add_argument("--requests", type=int, default=20_000, help="of the eight clients")
    parser.add_argument("--peer", action="store_true", help="install the peer and measure it, too")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep corpus and peer there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        work = arguments.work or Path(made)
        docs = materialize(locate(arguments.corpus), work / "docs")
        queries = [query.text for query in draw(docs)]
        index = Path(made) / "index"
        ingest(docs, index_dir=index)
        machine = describe()
        print(f"{machine.cpu}, {machine.cores} cores; load {machine.load_1m:g} at the start\n")
        print(_ROW.format("", "p50 ms", "p95 ms", "p99 ms", "requests/s", "").replace("  |", " |"))
        print("|---|---:|---:|---:|---:|---|")
        _measure("lexical", index, queries, arguments.requests)
        if arguments.peer:
            _measure_peer(work, docs, Path(made) / "peer-index", queries)
        embed(index_dir=index, embedder=EmbedderSettings("hash"))
        _measure("hybrid", index, queries, arguments.requests // 10)


def _measure(mode: str, index: Path, queries: Sequence[str], requests: int) -> None:
    with open_collection(load_settings(index_dir=index)) as collection:

        @contextmanager
        def inside() -> Iterator[Ask]:
            yield lambda query: bool(collection.search(query).metadata)

        timed(inside, queries, len(queries))
        process = timed(inside, queries, _ALONE)
    _print(f"{mode}, in this process", process)
    env = {**os.environ, "GROUNDKIT_PROFILE": "engineer", "GROUNDKIT_INDEX_DIR": str(index)}
    serve = [sys.executable, "-m", "groundkit_mcp", "serve"]
    with _serving([*serve, "--http", "--port", "0"], env) as (server, url):
        over_rest = rest(url, lambda query: {"query": query})
        timed(over_rest, queries, len(queries))
        alone = timed(over_rest, queries, _ALONE)
        over = f"+{alone.at(50) - process.at(50):.2f} ms at p50 (limit 3); p95 limit 25"
        _print(f"{mode}, REST", alone, over)
        _print(f"{mode}, MCP over HTTP", timed(mcp_http(url), queries, _ALONE))
        before = _resident(server.pid)
        together = timed(over_rest, queries, requests, _CLIENTS)
        memory = f"{before} -> {_resident(server.pid)} MB over {requests:,} requests"
        _print(f"{mode}, REST, {_CLIENTS} clients", together, f"limit 150/s; {memory}")
    stdio = partial(mcp_stdio, serve, env, index / "stdio.log")
    _print(f"{mode}, MCP over stdio", timed(stdio, queries, _ALONE))
    _measure_delay(mode, index, queries, env)


def _measure_delay(mode: str, index: Path, queries: Sequence[str], env: dict[str, str]) -> None:
    observed = [sys.executable, "-m", "scripts.serving.observed", str(index)]
    with _serving(observed, env) as (server, url):
        load = timed(rest(url, lambda query: {"query": query}), queries, 2 * _ALONE, _CLIENTS)
        delays = json.loads(server.communicate("", timeout=30)[0])
    shown = ", ".join(f"p{p} {delays[p]:.1f}" for p in ("50", "99", "99.9"))
    longest = f"event loop late by {shown}, at most {delays['100']:.1f} ms (limit 50)"
    _print(f"{mode}, {_CLIENTS} clients, observed", load, longest)


def _measure_peer(work: Path, docs: Path, index: Path, queries: Sequence[str]) -> None:
    peer = Peer.install(work / "peer", os.environ)
    env = dict(os.environ)
    subprocess.run(peer.ingest(docs, index), env=env, check=True, capture_output=True)
    port = _free_port()
    serve = [str(peer.binaries / "grk"), "serve", "--index-dir", str(index), "--base-dir"]
    with _serving([*serve, str(docs), "--port", str(port)], env) as (_, url):
        over_rest = rest(url, lambda query: {"query": query, "top_k": 8, "mode": "bm25"})
        timed(over_rest, queries, 10)
        _print("peer 0.2.1, REST", timed(over_rest, queries, len(queries)))
        together = timed(over_rest, queries, len(queries), _CLIENTS)
        _print(f"peer 0.2.1, REST, {_CLIENTS} clients", together)


@contextmanager
def _serving(
    command: Sequence[str], env: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(list(command), env=env, text=True, **pipes) as server:
        try:
            yield server, _address(server)
        finally:
            server.terminate()


def _address(server: subprocess.Popen[str]) -> str:
    for line in server.stderr or ():
        if found := _LISTENS.search(line):
            return found[0]
    raise RuntimeError("the server did not say where it listens")


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def _print(name: str, found: Timed, more: str = "") -> None:
    times = [f"{found.at(p):.2f}" for p in (50, 95, 99)]
    notes = "; ".join(filter(None, (more, f"{found.failed} failed" if found.failed else "")))
    print(_ROW.format(name, *times, f"{found.rate:.0f}", notes), flush=True)


if __name__ == "__main__":
    main()
