"""The steps that are measured at each size."""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.bench.corpus import CHECKOUT
from scripts.bench.errors import BenchError
from scripts.bench.phases import MEGABYTE, size_bytes
from scripts.bench.process import Finished, run
from scripts.scale.corpora import PROJECTS, SPARE
from scripts.scale.measures import ratios

from groundkit_index import CollectionPaths

_HOURS = 3_600.0
BATCH = 100
RANK_BM25_CHUNKS = 150_000
"""Above this rank-bm25 is left out: it takes a second a query and gigabytes of memory."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is the same at all sizes.

    Attributes:
        seeds: the folder of real documents.
        work: a folder for everything that is made.
        env: the environment of every command.
        rounds: how often each query is timed.
        repeats: how often opening, adding and deleting are measured.
        bm25s: the Python that has bm25s; None leaves it out.
    """

    seeds: Path
    work: Path
    env: Mapping[str, str]
    rounds: int = 5
    repeats: int = 5
    bm25s: Path | None = None

    @property
    def queries(self) -> Path:
        """The file of the texts of the queries."""
        return self.work / "queries.json"


@dataclass(slots=True)
class Run:
    """One size on its way through the steps.

    Attributes:
        figures: what was measured, by key.
        samples: the repeats of what was measured more than once.
        notes: versions of what was measured beside.
    """

    plan: Plan
    size: int
    figures: dict[str, float] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where everything of this size is."""
        return self.plan.work / f"chunks-{self.size}"

    @property
    def corpus(self) -> Path:
        """The folder of the projects."""
        return self.folder / "corpus"

    @property
    def index(self) -> Path:
        """The index folder."""
        return self.folder / "index"

    @property
    def rows(self) -> Path:
        """The file of the tokens of the chunks."""
        return self.folder / "rows.tsv"

    @property
    def asked(self) -> Path:
        """The file of the tokens of the queries."""
        return self.folder / "asked.json"

    @property
    def bare(self) -> Path:
        """The bare tantivy index."""
        return self.folder / "bare"

    def note(self, key: str, samples: list[float]) -> None:
        """Take the median of repeats as the figure."""
        self.samples[key] = samples
        self.figures[key] = statistics.median(samples)

    def note_times(self, times: Mapping[str, Mapping[str, float]]) -> None:
        """Take percentiles by name as figures such as `search_all_p50_ms`."""
        for name, percentiles in times.items():
            for percentile, value in percentiles.items():
                self.figures[f"{name}_{percentile}"] = value

    def worker(self, name: str, *arguments: object, python: Path | None = None) -> Any:
        """Run a program of `workers` in a process of its own; returns what it printed."""
        return json.loads(
            self.program(f"scripts.scale.workers.{name}", *arguments, python=python).stdout
        )

    def program(self, module: str, *arguments: object, python: Path | None = None) -> Finished:
        """Run a module of this checkout in a process of its own."""
        command = [str(python or sys.executable), "-m", module]
        return self._run([*command, *map(str, arguments)], CHECKOUT)

    def groundkit(self, *arguments: object) -> Finished:
        """Run the command of this environment."""
        script = Path(sysconfig.get_path("scripts"), "groundkit")
        return self._run([str(script), *map(str, arguments)], None)

    def _run(self, command: list[str], cwd: Path | None) -> Finished:
        return run(command, logs=self.folder, env=self.plan.env, cwd=cwd, timeout=6 * _HOURS)


def write_corpus(this: Run) -> None:
    """Splice the corpus; not a measurement."""
    shutil.rmtree(this.folder, ignore_errors=True)
    this.folder.mkdir(parents=True)
    spare = 2 * BATCH * this.plan.repeats
    written = this.worker("corpus", this.plan.seeds, this.size, spare, this.corpus)
    (this.corpus / SPARE).rename(this.folder / SPARE)
    this.figures["documents"] = written["documents"]
    this.figures["corpus_mb"] = written["bytes"] / MEGABYTE


def ingest(this: Run) -> None:
    """Ingest the projects one after the other with the command."""
    seconds = cpu = peak = 0.0
    for project in PROJECTS:
        shared = ["--project", project, "--index-dir", this.index, "--json"]
        done = this.groundkit("ingest", this.corpus / project, *shared)
        report = json.loads(done.stdout)
        this.figures["refused"] = this.figures.get("refused", 0) + report["documents"]["refused"]
        seconds, cpu = seconds + done.seconds, cpu + done.cpu_seconds
        peak = max(peak, done.peak_bytes)
    version = CollectionPaths.of(this.index, "default").current()
    this.figures |= {
        "chunks": report["chunks"],
        "ingest_seconds": seconds,
        "ingest_rate": report["chunks"] / seconds,
        "ingest_cpu_seconds": cpu,
        "ingest_peak_mb": peak / MEGABYTE,
        "catalog_mb": version.catalog.stat().st_size / MEGABYTE,
        "lexical_mb": size_bytes(version.lexical) / MEGABYTE,
    }


def write_rows(this: Run) -> None:
    """Write down the tokens that all engines are fed; not a measurement."""
    made = this.worker("rows", this.index, this.plan.queries, this.rows, this.asked)
    this.figures |= {"tokens": made["tokens"], "vocabulary": made["vocabulary"]}


def build_bare(this: Run) -> None:
    """Build the bare tantivy index."""
    made = this.worker("bare", this.rows, this.bare)
    this.figures |= {"bare_seconds": made["seconds"], "bare_mb": made["bytes"] / MEGABYTE}


def open_anew(this: Run) -> None:
    """Open the collection in new processes."""
    opened = [
        this.worker("opening", this.index, this.plan.queries) for _ in range(this.plan.repeats)
    ]
    this.note("open_ms", [one["read_ms"] for one in opened])
    this.note("open_answer_ms", [one["answer_ms"] for one in opened])


def hold_open(this: Run) -> None:
    """Measure the memory of a reader that has answered all queries."""
    held = this.worker("memory", this.index, this.plan.queries)
    this.figures["resident_mb"] = held["resident_bytes"] / MEGABYTE
    this.figures["anonymous_mb"] = held["anonymous_bytes"] / MEGABYTE


def search(this: Run) -> None:
    """Time searches beside bare tantivy."""
    files = (this.plan.queries, this.asked)
    timed = this.worker("latency", this.index, this.bare, *files, this.plan.rounds)
    this.note_times(timed["times"])
    for key in ("answered", "segments", "bare_segments"):
        this.figures[key] = timed[key]


def search_bm25s(this: Run) -> None:
    """Time bm25s, where there is one."""
    if this.plan.bm25s is None:
        return
    arguments = (this.rows, this.asked, this.plan.rounds)
    timed = this.worker("bm25s", *arguments, python=this.plan.bm25s)
    this.note_times(timed["times"])
    this.figures["bm25s_seconds"] = timed["seconds"]
    this.figures["bm25s_mb"] = timed["resident_bytes"] / MEGABYTE
    this.notes["bm25s"] = f"{timed['version']} with {timed['backend']}"


def compare_exactly(this: Run) -> None:
    """Compare the ranking with exact BM25, and time rank-bm25 once a query."""
    if this.size > RANK_BM25_CHUNKS:
        return
    compared = this.worker("exact", this.index, this.rows, this.asked, 1)
    this.note_times(compared["times"])
    this.figures["rank_bm25_seconds"] = compared["seconds"]
    this.figures["rank_bm25_mb"] = compared["resident_bytes"] / MEGABYTE
    for name in ("body", "engine", "formula", "shipped"):
        this.figures[f"overlap_{name}"] = compared[f"overlap_{name}"]


def change(this: Run) -> None:
    """Add and delete documents; the collection is changed by it, so this comes last."""
    root, spare = this.corpus / "half", this.folder / SPARE
    changed = this.worker("incremental", this.index, root, spare, BATCH, this.plan.repeats)
    for key, samples in changed.items():
        this.note(key, samples)


STEPS = (
    ingest,
    write_rows,
    build_bare,
    open_anew,
    hold_open,
    search,
    search_bm25s,
    compare_exactly,
    change,
)
"""What follows `write_corpus`, in order."""


def measure(this: Run) -> list[str]:
    """Take one size through all steps; a corpus must be there.

    Returns:
        What failed, one line each. What depends on the ingest is left out when that failed.
    """
    failures = []
    for step in STEPS:
        print(f"{this.size:,} chunks: {step.__name__}", file=sys.stderr, flush=True)
        try:
            step(this)
        except BenchError as error:
            failures.append(f"{this.size:,} chunks, {step.__name__}: {_public(this, error)}")
            print(failures[-1], file=sys.stderr, flush=True)
            if step in (ingest, write_rows):
                break
    this.figures |= ratios(this.figures)
    return failures


def _public(this: Run, error: BenchError) -> str:
    """One line without the paths of this machine."""
    message = " ".join(str(error).split())
    for folder in (this.plan.work, CHECKOUT):
        message = message.replace(str(folder), folder.name)
    return message
