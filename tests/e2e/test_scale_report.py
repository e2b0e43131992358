"""Targets, growth, projections and the tables that show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scripts.bench.errors import BenchError
from scripts.bench.machine import Machine
from scripts.scale import page
from scripts.scale.__main__ import _parser
from scripts.scale.measures import MEASURES, RATIOS, ratios
from scripts.scale.projection import project
from scripts.scale.report import Result, Size, as_json, as_page, notes, shown
from scripts.scale.timing import in_turn

BY_KEY = {measure.key: measure for measure in MEASURES}
SMALL = {
    "chunks": 100_000,
    "search_all_p50_ms": 2.0,
    "bare_all_10_p50_ms": 0.5,
    "ingest_seconds": 50.0,
    "ingest_cpu_seconds": 80.0,
    "resident_mb": 300.0,
    "overlap_body": 0.95,
}
LARGE = {
    "chunks": 1_000_000,
    "search_all_p50_ms": 24.0,
    "bare_all_10_p50_ms": 5.0,
    "ingest_seconds": 500.0,
    "ingest_cpu_seconds": 800.0,
    "resident_mb": 300.0,
    "overlap_body": 0.93,
}


@pytest.fixture
def result() -> Result:
    machine = Machine("A processor", 2, 25_000_000_000, "Linux 6", "CPython 3.11", 0.5)
    return Result(
        machine=machine,
        seeds="texts.tar",
        queries={"count": 4, "questions": 2, "keywords": 2, "sha256": "00"},
        versions={"tantivy": "0.27.0"},
        sizes={100_000: Size(SMALL), 1_000_000: Size(LARGE, {"open_ms": [1.0, 2.0]})},
        failures=["1,000,000 chunks, change: it broke"],
    )


def test_every_measure_has_its_own_key_and_label_pair() -> None:
    assert len(BY_KEY) == len(MEASURES)
    assert set(RATIOS) <= set(BY_KEY)
    assert {key for pair in RATIOS.values() for key in pair} <= set(BY_KEY)


def test_a_search_may_take_two_milliseconds_and_twice_bare_tantivy(result: Result) -> None:
    assert result.met(BY_KEY["search_all_p50_ms"]) == [True, False]
    limit = BY_KEY["search_all_p50_ms"].limit
    assert limit is not None
    assert limit.is_met(3.0, {"bare_all_10_p50_ms": 0.5})
    assert not limit.is_met(3.1, {"bare_all_10_p50_ms": 0.5})


def test_memory_counts_from_a_million_chunks_on(result: Result) -> None:
    assert result.met(BY_KEY["resident_mb"]) == [None, False]


def test_overlap_must_reach_its_target(result: Result) -> None:
    assert result.met(BY_KEY["overlap_body"]) == [True, False]


def test_a_limit_beside_something_that_was_not_measured_is_not_judged(result: Result) -> None:
    figures = {"chunks": 1.0, "search_all_p50_ms": 1.0}
    alone = Result(result.machine, "", result.queries, {}, {10: Size(figures)})
    assert alone.met(BY_KEY["search_all_p50_ms"]) == [None]


def test_growth_is_from_the_size_before_to_the_largest(result: Result) -> None:
    assert result.growth(BY_KEY["search_all_p50_ms"]) == 12.0
    assert result.growth(BY_KEY["ingest_seconds"]) == 10.0
    assert result.growth(BY_KEY["add_ms"]) is None


def test_a_cost_that_grows_too_fast_is_named(result: Result) -> None:
    named = [note for note in notes(result) if note.startswith("Grows")]
    assert len(named) == 1
    assert "12.0x" in named[0]
    assert BY_KEY["search_all_p50_ms"].label in named[0]


def test_a_projection_is_a_fixed_part_and_one_for_each_chunk() -> None:
    found = project(SMALL, LARGE, ["search_all_p50_ms", "resident_mb", "add_ms"])
    line = found["search_all_p50_ms"]
    assert line.at(100_000) == pytest.approx(2.0)
    assert line.at(1_000_000) == pytest.approx(24.0)
    assert line.at(10_000_000) == pytest.approx(24.0 + 9 * 22.0 / 0.9)


def test_what_did_not_grow_or_was_not_measured_is_not_carried_on() -> None:
    assert project(SMALL, LARGE, ["resident_mb", "overlap_body", "add_ms"]) == {}


def test_ratios_are_of_what_was_measured() -> None:
    assert ratios(LARGE) == {"search_to_bare": pytest.approx(4.8)}


def test_the_page_shows_figures_verdicts_and_failures(result: Result) -> None:
    text = as_page(result)
    row = next(line for line in text.splitlines() if "no filter, p50" in line and "limit" in line)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:] == ["2.00 ms", "24.0 ms", "12.0x", "≤ 2 ms + 2x bare", "yes no"]
    assert "A processor, 2 cores, 25 GB" in text
    assert "Failed: 1,000,000 chunks, change: it broke" in text
    assert "80,000 s" in text


def test_json_holds_figures_samples_and_targets(result: Result) -> None:
    data = json.loads(json.dumps(as_json(result)))
    assert data["sizes"]["1000000"]["figures"]["ingest_seconds"] == 500.0
    assert data["sizes"]["1000000"]["samples"] == {"open_ms": [1.0, 2.0]}
    targets = {one["key"]: one["met"] for one in data["targets"]}
    assert targets["search_all_p50_ms"] == {"100000": True, "1000000": False}
    assert data["growth"]["search_all_p50_ms"] == 12.0
    assert data["projections"]["ingest_cpu_seconds"]["values"]["10000000"] == pytest.approx(8000.0)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1234.5, "MB", "1,234 MB"),
        (0.949, "share", "0.949"),
        (3.14, "x", "3.14x"),
        (7, "count", "7"),
    ],
)
def test_values_are_shown_to_three_digits(value: float, unit: str, text: str) -> None:
    assert shown(value, unit) == text  # type: ignore[arg-type]
    assert shown(None, unit) == "-"  # type: ignore[arg-type]


def test_calls_are_timed_in_turn_every_query_in_every_round() -> None:
    asked: list[tuple[str, int]] = []
    calls = {name: lambda number, name=name: asked.append((name, number)) for name in ("a", "b")}
    figures = in_turn(calls, queries=3, rounds=2)
    assert asked == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)] * 2
    assert set(figures) == {"a", "b"}
    assert 0 <= figures["a"]["p50_ms"] <= figures["a"]["p95_ms"]


def test_only_what_is_between_the_markers_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "scale.md"
    path.write_text(f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n", encoding="utf-8")
    page.update(path, "new\n")
    expected = f"before\n{page.BEGIN}\nnew\n{page.END}\nafter\n"
    assert path.read_text(encoding="utf-8") == expected
    page.update(path, "new")
    assert path.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    "text", ["none", f"{page.END}{page.BEGIN}", f"{page.BEGIN}{page.BEGIN}{page.END}"]
)
def test_a_page_without_one_pair_of_markers_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "scale.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BenchError, match="needs one line"):
        page.update(path, "new")
    assert path.read_text(encoding="utf-8") == text


def test_sizes_are_read_with_their_factors() -> None:
    assert _parser().parse_args(["--sizes", "10k", "1m", "300"]).sizes == [10_000, 1_000_000, 300]
