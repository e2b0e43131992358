"""The steps that are measured; each takes one system through one repeat."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.bench.corpus import CHECKOUT, markdown_files
from scripts.bench.errors import BenchError
from scripts.bench.process import Finished, run
from scripts.bench.queries import Kind, Query
from scripts.bench.rpc import StdioServer
from scripts.bench.stats import percentile
from scripts.bench.systems import System

MEGABYTE = 1e6
MCP_QUERIES = 10
_EDIT_WORD = "quavermint"
_EDITED_BYTES = range(2_000, 20_000)


@dataclass(frozen=True, slots=True)
class Bench:
    """What every step works on.

    Attributes:
        corpus: a private copy of the corpus.
        work: a folder for indexes and logs.
        env: the environment of every command.
        queries: the queries, the same for all systems.
        samples: measure by system, and its repeats.
    """

    corpus: Path
    work: Path
    env: Mapping[str, str]
    queries: tuple[Query, ...]
    samples: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def note(self, system: System, key: str, value: float) -> None:
        """Add one sample."""
        self.samples.setdefault(system.name, {}).setdefault(key, []).append(value)

    def index(self, system: System) -> Path:
        """Where the system keeps its index."""
        return self.work / f"index-{system.name}"

    def run(self, command: list[str], cwd: Path | None = None) -> Finished:
        """Run a command, in the work folder unless another is named."""
        return run(command, logs=self.work, env=self.env, cwd=cwd)


Phase = Callable[[Bench, System, int], None]


def ingest_fresh(bench: Bench, system: System, repeat: int) -> None:
    """Ingest the whole corpus into a new index."""
    del repeat
    index = bench.index(system)
    shutil.rmtree(index, ignore_errors=True)
    done = bench.run(system.ingest(bench.corpus, index))
    counts = system.ingested(done.stdout)
    bench.note(system, "ingest_seconds", done.seconds)
    bench.note(system, "ingest_cpu_seconds", done.cpu_seconds)
    bench.note(system, "ingest_peak_mb", done.peak_bytes / MEGABYTE)
    bench.note(system, "documents", counts.documents)
    bench.note(system, "chunks", counts.chunks)
    bench.note(system, "index_mb", size_bytes(index) / MEGABYTE)


def ingest_unchanged(bench: Bench, system: System, repeat: int) -> None:
    """Ingest again although nothing changed."""
    del repeat
    done = bench.run(system.ingest(bench.corpus, bench.index(system)))
    bench.note(system, "unchanged_seconds", done.seconds)


def edit_and_search(bench: Bench, system: System, repeat: int) -> None:
    """Add a new word to one file, ingest, and search for the word in a new process."""
    word = f"{_EDIT_WORD}{chr(ord('a') + repeat)}"
    edited = _file_to_edit(bench.corpus)
    _append_once(edited, f"\n\nThe {word} setting came with this edit.\n")
    ingest = bench.run(system.ingest(bench.corpus, bench.index(system)))
    search = bench.run(system.search(f"{word} setting", bench.index(system)))
    source = edited.relative_to(bench.corpus).as_posix()
    if not any(found.endswith(source) for found in system.sources(search.stdout)[:1]):
        raise BenchError("the edit is not found after the ingest")
    bench.note(system, "edit_seconds", ingest.seconds + search.seconds)
    bench.note(system, "edit_ingest_seconds", ingest.seconds)
    bench.note(system, "edit_search_seconds", search.seconds)


def search_cold(bench: Bench, system: System, repeat: int) -> None:
    """Search once with the command, from spawn to exit."""
    query = bench.queries[repeat % len(bench.queries)]
    done = bench.run(system.search(query.text, bench.index(system)))
    system.sources(done.stdout)
    bench.note(system, "cold_search_seconds", done.seconds)
    bench.note(system, "cold_search_cpu_seconds", done.cpu_seconds)


def search_warm(bench: Bench, system: System, repeat: int) -> None:
    """Search every query once in one process that has the index open."""
    del repeat
    asked = bench.work / "queries.json"
    asked.write_text(json.dumps([query.text for query in bench.queries]), encoding="utf-8")
    done = bench.run(system.warm(bench.index(system), asked), CHECKOUT)
    figures = json.loads(done.stdout)
    times: list[float] = figures["milliseconds"]
    bench.note(system, "warm_p50_ms", percentile(times, 50))
    bench.note(system, "warm_p95_ms", percentile(times, 95))
    kinds: tuple[Kind, ...] = ("question", "keywords")
    for kind in kinds:
        some = [t for t, query in zip(times, bench.queries, strict=True) if query.kind == kind]
        bench.note(system, f"warm_{kind}_p50_ms", percentile(some, 50))
        bench.note(system, f"warm_{kind}_p95_ms", percentile(some, 95))
    bench.note(system, "resident_mb", figures["resident_bytes"] / MEGABYTE)
    bench.note(system, "answered", sum(map(bool, figures["results"])))


def serve_mcp(bench: Bench, system: System, repeat: int) -> None:
    """Start the MCP server and ask it ten queries, one after the other."""
    del repeat
    command = system.serve(bench.corpus, bench.index(system))
    with StdioServer(command, cwd=bench.work, env=bench.env) as server:
        server.initialize()
        initialized = time.perf_counter() - server.spawned
        answered: list[float] = []
        for query in bench.queries[:MCP_QUERIES]:
            server.call_tool("search", system.tool_arguments(query.text))
            answered.append(time.perf_counter() - server.spawned)
        bench.note(system, "mcp_resident_mb", server.resident_bytes() / MEGABYTE)
    bench.note(system, "mcp_initialize_seconds", initialized)
    bench.note(system, "mcp_first_after_seconds", answered[0] - initialized)
    bench.note(system, "mcp_first_seconds", answered[0])
    bench.note(system, "mcp_tenth_seconds", answered[-1])


def size_bytes(folder: Path) -> int:
    """The length of all files beneath a folder, together."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _file_to_edit(corpus: Path) -> Path:
    files = markdown_files(corpus)
    return next((path for path in files if path.stat().st_size in _EDITED_BYTES), files[0])


def _append_once(path: Path, text: str) -> None:
    """Append the text unless the other system's turn already did."""
    with path.open("r+b") as file:
        added = text.encode()
        if not file.read().endswith(added):
            file.write(added)
