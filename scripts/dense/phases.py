"""The steps that are measured, one after the other."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.bench.corpus import CHECKOUT
from scripts.bench.errors import BenchError
from scripts.bench.phases import MEGABYTE
from scripts.scale import phases as scale
from scripts.scale.phases import Run

CENTRES = 2_000
BACKFILLS = {"small": 1_000, "medium": 3_000}
"""Chunks that are really embedded, by the name of the figure."""
TIMED = 400
"""Chunks that each round of the comparison with the bare loop embeds."""


@dataclass(frozen=True, slots=True)
class Dense:
    """What every step works on.

    Attributes:
        run: a corpus with its figures; see `scripts.scale`.
        model: the folder of a model with `model.onnx` and `tokenizer.json`.
        large: rows of the table that is indexed.
        asked: how many queries recall is measured with.
        texts: the queries as text.
    """

    run: Run
    model: Path
    large: int
    asked: int
    texts: list[str]

    def worker(self, name: str, *arguments: object) -> Any:
        """Run a program of `workers` in a process of its own; returns what it printed."""
        return json.loads(self.run.program(f"scripts.dense.workers.{name}", *arguments).stdout)

    @property
    def vectors(self) -> Path:
        """The file of query vectors from around the same centres as the chunks."""
        return self.run.folder / "queries.npy"


def fill(this: Dense) -> None:
    """Give the collection vectors under the identity of the real model."""
    made = this.worker("fill", this.run.index, this.model, CENTRES, this.run.folder)
    this.run.figures["fill_rate"] = made["vectors"] / made["seconds"]


def search(this: Dense) -> None:
    """Time the branches and whole searches in one process."""
    plan = this.run.plan
    this.run.note_times(this.worker("latency", this.run.index, plan.queries, plan.rounds))


def compare(this: Dense) -> None:
    """Compare with exact neighbours."""
    found = this.worker("recall", this.run.index, this.vectors, this.asked)
    this.run.figures |= {f"recall_{name}": share for name, share in found.items()}


def search_cold(this: Dense) -> None:
    """Run whole commands in new processes, the modes in turn."""
    seconds: dict[str, list[float]] = {"lexical": [], "hybrid": []}
    peaks = []
    for number in range(this.run.plan.repeats):
        for mode, taken in seconds.items():
            text = this.texts[number % len(this.texts)]
            options = ["--mode", mode, "--index-dir", this.run.index, "--json"]
            done = this.run.groundkit("search", *options, "--", text)
            if json.loads(done.stdout)["coverage"]["failed"]:
                raise BenchError(f"a {mode} search was degraded")
            taken.append(done.seconds)
            if mode == "hybrid":
                peaks.append(done.peak_bytes / MEGABYTE)
    for mode, taken in seconds.items():
        this.run.note(f"cold_{mode}_seconds", taken)
    this.run.note("cold_hybrid_peak_mb", peaks)


def backfill(this: Dense) -> None:
    """Embed new collections with the command, and measure its memory."""
    for name, chunks in BACKFILLS.items():
        index = _part(this, chunks)
        options = ["--embedder", "onnx", "--model", this.model, "--index-dir", index, "--json"]
        done = this.run.groundkit("embed", *options)
        this.run.figures[f"{name}_chunks"] = json.loads(done.stdout)["vectors"]
        this.run.figures[f"{name}_peak_mb"] = done.peak_bytes / MEGABYTE


def embed(this: Dense) -> None:
    """Time the bare loop, the embedder and a whole backfill in turn."""
    index = _part(this, TIMED)
    rates = this.worker("throughput", index, this.model, this.run.plan.repeats)
    this.run.figures |= {key: value for key, value in rates.items() if key.endswith("_rate")}


def backfill_whole(this: Dense) -> None:
    """Give a copy of the whole lexical collection cheap vectors, and measure the memory."""
    done = this.run.groundkit("embed", "--embedder", "hash", "--index-dir", lexical(this), "--json")
    if json.loads(done.stdout)["vectors"] != this.run.figures["chunks"]:
        raise BenchError("a backfill left chunks without vectors")
    this.run.figures["whole_peak_mb"] = done.peak_bytes / MEGABYTE


def index_large(this: Dense) -> None:
    """Index a large table, and ask it beside a scan."""
    folder, centres = this.run.folder / "v000001", this.run.folder / "centres.npy"
    made = this.run.program("scripts.dense.workers.large", "make", folder, centres, this.large)
    asked = this.worker("large", "ask", folder, this.vectors, this.asked)
    figures = asked | json.loads(made.stdout)
    this.run.figures |= {f"large_{key}": value for key, value in figures.items()}
    this.run.figures["large_rows"] = this.large
    this.run.figures["large_peak_mb"] = made.peak_bytes / MEGABYTE


def lexical(this: Dense) -> Path:
    """Where a copy of the collection without vectors is."""
    return this.run.folder / "lexical"


def _part(this: Dense, chunks: int) -> Path:
    """Ingest about so many chunks into a new index."""
    index, corpus = this.run.folder / f"part-{chunks}", this.run.folder / f"corpus-{chunks}"
    for folder in (index, corpus):
        shutil.rmtree(folder, ignore_errors=True)
    corpus.mkdir()
    share = chunks / this.run.figures["chunks"]
    files = sorted((this.run.corpus / "half").rglob("*.md"))
    for path in files[: max(1, round(share * this.run.figures["documents"]))]:
        shutil.copy(path, corpus)
    this.run.groundkit("ingest", corpus, "--index-dir", index, "--json")
    return index


def ingest(this: Dense) -> None:
    """Ingest the corpus, and keep a copy without vectors."""
    scale.ingest(this.run)
    shutil.copytree(this.run.index, lexical(this))


STEPS = (ingest, fill, search, compare, search_cold, embed, backfill, backfill_whole, index_large)


def measure(this: Dense) -> list[str]:
    """Take all steps; returns what failed, one line each."""
    failures = []
    for step in STEPS:
        print(step.__name__, file=sys.stderr, flush=True)
        try:
            step(this)
        except BenchError as error:
            message = " ".join(str(error).split())
            for folder in (this.run.plan.work, this.model, CHECKOUT):
                message = message.replace(str(folder), folder.name)
            failures.append(f"{step.__name__}: {message}")
            print(failures[-1], file=sys.stderr, flush=True)
            if step in (ingest, fill):
                break
    return failures
