"""The benchmark's table and JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from scripts.bench.machine import Machine, cpu_model, describe, memory_bytes
from scripts.bench.measures import MEASURES, Measure
from scripts.bench.report import Result, as_json, as_table

_OURS = {
    "ingest_seconds": [4.0, 8.0, 6.0],
    "ingest_peak_mb": [401.0],
    "warm_p50_ms": [1.25],
    "chunks": [40_000.0],
}
_PEER = {"ingest_seconds": [12.0], "chunks": [100_000.0], "warm_p50_ms": [0.0]}


@pytest.fixture
def result() -> Result:
    return Result(
        machine=Machine("Test CPU", 2, 8_000_000_000, "Linux 6", "CPython 3.11.7", 0.5),
        corpus={"files": 3736, "bytes": 43_000_000},
        queries={"count": 200, "questions": 100, "keywords": 100, "limit": 8, "sha256": "ab"},
        versions={"ours": "0.1.0", "peer": "0.2.1"},
        samples={"ours": _OURS, "peer": _PEER},
    )


@pytest.fixture
def alone(result: Result) -> Result:
    return replace(result, versions={"ours": "0.1.0"}, samples={"ours": _OURS})


def _row(table: str, label: str) -> list[str]:
    line = next(line for line in table.splitlines() if line.startswith(f"| {label} "))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_row_has_both_medians_the_ratio_and_the_verdict(result: Result) -> None:
    assert _row(as_table(result), "ingest") == [
        "ingest",
        "6.00 s",
        "12.0 s",
        "0.5x",
        "≤ 0.8x",
        "yes",
    ]


def test_a_missed_target_is_said(result: Result) -> None:
    assert _row(as_table(result), "ingest, peak memory")[1:] == [
        "401 MB",
        "-",
        "-",
        "≤ 400 MB",
        "no",
    ]


def test_nothing_is_divided_by_zero(result: Result) -> None:
    cells = _row(as_table(result), "warm search in process, p50")
    assert cells[1:] == ["1.25 ms", "0.00 ms", "-", "≤ 3 ms", "yes"]


def test_without_the_peer_there_is_no_ratio(alone: Result) -> None:
    table = as_table(alone)
    assert _row(table, "measure") == ["measure", "groundkit-retrieval 0.1.0", "target", "met"]
    assert _row(table, "ingest") == ["ingest", "6.00 s", "≤ 0.8x", ""]


def test_every_measure_is_a_row_of_the_same_width(result: Result) -> None:
    lines = [line for line in as_table(result).splitlines() if line.startswith("|")]
    assert len(lines) == len(MEASURES) + 2
    assert len({len(line) for line in lines}) == 1


def test_differing_counts_are_said(result: Result, alone: Result) -> None:
    said = "The number of chunks differs: 40,000 of ours, 100,000 of the peer's."
    assert said in as_table(result)
    assert "differs" not in as_table(alone)
    same = replace(result, samples={"ours": _OURS, "peer": {"chunks": [40_000.0]}})
    assert "differs" not in as_table(same)


def test_failures_are_said_in_table_and_json(result: Result) -> None:
    failed = replace(result, failures=["peer, MCP: exit code 1"])
    assert "Failed: peer, MCP: exit code 1" in as_table(failed)
    assert "Failed: peer, MCP: exit code 1" in as_json(failed)["notes"]


def test_json_holds_every_sample_and_the_comparison(result: Result) -> None:
    data = json.loads(json.dumps(as_json(result)))
    assert data["systems"]["ours"]["version"] == "0.1.0"
    assert data["systems"]["ours"]["measures"]["ingest_seconds"] == {
        "median": 6.0,
        "minimum": 4.0,
        "maximum": 8.0,
        "repeats": 3,
        "samples": [4.0, 8.0, 6.0],
    }
    assert data["comparison"]["ingest_seconds"] == {
        "unit": "s",
        "ratio": 0.5,
        "target": "≤ 0.8x",
        "met": True,
    }
    assert set(data["comparison"]) == {measure.key for measure in MEASURES}
    assert data["machine"]["cpu"] == "Test CPU"


@pytest.mark.parametrize(
    ("ours", "peer", "met"), [(1.0, 10.0, True), (1.1, 10.0, False), (1.0, None, None)]
)
def test_a_relative_target_needs_the_peer(
    ours: float, peer: float | None, met: bool | None
) -> None:
    assert Measure("k", "label", "s", ratio_at_most=0.1).is_met(ours, peer) is met


def test_an_absolute_target_needs_no_peer() -> None:
    limit = Measure("k", "label", "ms", at_most=3)
    assert limit.is_met(3.0, None) is True
    assert limit.is_met(3.1, None) is False


def test_the_machine_is_read_from_proc_texts() -> None:
    assert cpu_model("processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\n") == "Fast CPU @ 3 GHz"
    assert cpu_model("nothing here") == "unknown"
    assert memory_bytes("MemTotal:       1024 kB\nMemFree: 1 kB\n") == 1024 * 1024


def test_this_machine_has_cores_and_memory() -> None:
    machine = describe()
    assert machine.cores >= 1
    assert machine.memory_bytes > 100e6
    assert machine.python.startswith(("CPython 3", "PyPy 3"))
