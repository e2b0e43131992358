from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scripts.bench.errors import BenchError
from scripts.bench.machine import Machine
from scripts.dense import __main__ as program
from scripts.dense.exact import recall
from scripts.dense.measures import MEASURES
from scripts.dense.report import Result, as_page
from scripts.dense.synthetic import scattered

from groundkit_index.vectors.slab import Label, Slab
from groundkit_index.vectors.slab_writer import SlabWriter

MACHINE = Machine("a processor", 2, 25 * 10**9, "Linux", "CPython 3.11", 0.5)


def result(**figures: float) -> Result:
    return Result(MACHINE, {"numpy": "2"}, figures)


def row(page: str, label: str) -> list[str]:
    line = next(line for line in page.splitlines() if line.startswith(f"| {label}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_figure_is_shown_beside_its_target() -> None:
    page = as_page(result(dense_all_10_p50_ms=7.5, dense_hundredth_10_p50_ms=30.0))
    assert row(page, "dense branch, k = 10")[1:] == ["7.50 ms", "≤ 15 ms", "0.50x", "yes"]
    assert row(page, "- with a 1 % filter, k = 10")[3:] == ["2.67x", "no"]


def test_hybrid_is_held_to_the_slower_mode() -> None:
    slow = result(search_lexical_p50_ms=2, search_dense_p50_ms=10, search_hybrid_p50_ms=13.1)
    assert row(as_page(slow), "hybrid search")[4] == "no"
    quick = result(search_lexical_p50_ms=2, search_dense_p50_ms=10, search_hybrid_p50_ms=12.9)
    assert row(as_page(quick), "hybrid search")[4] == "yes"


def test_what_was_not_measured_is_named_and_has_no_row() -> None:
    page = as_page(result(chunks=100_000))
    assert "| recall@10" not in page
    assert "- Not measured: recall@10 against exact" in page


def test_a_page_is_not_updated_by_half_a_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- dense:begin -->\nstale words\n<!-- dense:end -->\n")
    options = program._parser().parse_args(["--update", str(page)])
    with pytest.raises(BenchError, match="not all was measured"):
        program._publish(result(chunks=100_000), options)
    assert "stale words" in page.read_text()
    program._publish(result(**{measure.key: 1.0 for measure in MEASURES}), options)
    assert "stale words" not in page.read_text()


def test_recall_counts_the_neighbours_that_are_found(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    centres = scattered(np.eye(8, dtype=np.float32), 5, random)
    vectors = scattered(centres, 100, random)
    labels = [Label(n + 1, "docs", "half" if n % 2 else "rest", bytes(16)) for n in range(100)]
    SlabWriter(tmp_path, 8).commit([], labels, vectors)
    slab = Slab.open(tmp_path)
    assert recall(slab.search, slab, vectors[:5], None) == 1.0
    assert recall(slab.search, slab, vectors[:5], "half") == 1.0
    fewer = recall(lambda q, where, k: slab.search(q, where, k)[:7], slab, vectors[:5], None)
    assert fewer == pytest.approx(0.7)
