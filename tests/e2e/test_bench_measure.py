"""The order of the benchmark's steps, and what a failing system does to them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripts.bench.measure import measure, plan, turns
from scripts.bench.phases import Bench
from scripts.bench.process import environment
from scripts.bench.queries import Query
from scripts.bench.systems import Ingested, Ours, System


@dataclass(frozen=True, slots=True)
class _Failing(Ours):
    """A system whose ingest ends with a message that names its folder."""

    name: str = "failing"

    def ingest(self, corpus: Path, index: Path) -> list[str]:
        return [sys.executable, "-c", f"raise SystemExit('no room in {corpus}')"]


@dataclass(frozen=True, slots=True)
class _OnlyIngests(Ours):
    """A system that ingests and then refuses everything else."""

    name: str = "only-ingests"

    def ingest(self, corpus: Path, index: Path) -> list[str]:
        code = "import pathlib, sys; pathlib.Path(sys.argv[1]).mkdir(exist_ok=True)"
        return [sys.executable, "-c", code, str(index)]

    def ingested(self, stdout: str) -> Ingested:
        return Ingested(documents=1, chunks=2)

    def search(self, query: str, index: Path) -> list[str]:
        return [sys.executable, "-c", "raise SystemExit('cannot search')"]

    def warm(self, index: Path, queries: Path) -> list[str]:
        return self.search("", index)

    def serve(self, corpus: Path, index: Path) -> list[str]:
        return self.search("", index)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "page.md").write_text("# Page\n", encoding="utf-8")
    return Bench(corpus, tmp_path, environment(tmp_path), (Query("page", "keywords"),))


def test_a_failed_ingest_ends_a_systems_run_and_not_the_others(bench: Bench) -> None:
    failures = measure(bench, [_Failing(), _OnlyIngests()], 2)
    assert [line for line in failures if line.startswith("failing")] == [
        "failing, ingest: exit code 1: no room in corpus"
    ]
    assert bench.samples["only-ingests"]["chunks"] == [2, 2]
    assert len(bench.samples["only-ingests"]["unchanged_seconds"]) == 2
    assert "failing" not in bench.samples


def test_a_failed_step_is_not_repeated_and_the_next_is_tried(bench: Bench) -> None:
    steps = [line.split(":")[0] for line in measure(bench, [_OnlyIngests()], 2)]
    assert steps == [
        f"only-ingests, {step}" for step in ("edit", "cold search", "warm search", "MCP")
    ]


def test_systems_change_places_every_other_repeat() -> None:
    systems: list[System] = [_Failing(), _OnlyIngests()]
    assert turns(systems, 0) == systems
    assert turns(systems, 1) == systems[::-1]


def test_a_cold_search_is_the_median_of_at_least_five() -> None:
    repeats = {name: times for name, _, times in plan(3)}
    assert repeats["cold search"] == 5
    assert repeats["ingest"] == 3
