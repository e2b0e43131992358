"""What our search is measured against: bare tantivy, and BM25 without approximation."""

from __future__ import annotations

import math
import random
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from scripts.bench.errors import BenchError
from scripts.scale.bare import BareIndex, build
from scripts.scale.exact import K1, B, ExactField, overlap
from scripts.scale.rows import Row, read_rows

ROWS = [
    Row("half", "relay relay cool", "relay", "relay"),
    Row("rest", "relay valve", "valve", "valve"),
    Row("half", "pump pump pump valve long tail of other word", "pump", "pump"),
    Row("rest", "noise noise", "", ""),
    Row("rest", "hum", "", ""),
]
BODIES = [row.body for row in ROWS]


@pytest.fixture
def bare(tmp_path: Path) -> BareIndex:
    build(tmp_path / "bare", ROWS)
    return BareIndex(tmp_path / "bare")


def test_rows_come_back_in_the_order_of_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "rows.tsv"
    path.write_text("".join(row.line() for row in ROWS), encoding="utf-8")
    assert list(read_rows(path)) == ROWS
    path.write_text("half\tonly a body\n", encoding="utf-8")
    with pytest.raises(BenchError, match="no file of tokens"):
        list(read_rows(path))


def test_bare_tantivy_ranks_the_union_of_the_terms(bare: BareIndex) -> None:
    assert bare.search(["relay", "cool"], None, 10) == [1, 2]
    assert bare.search(["relay", "cool"], None, 1) == [1]
    assert bare.search(["absent"], None, 10) == []
    assert bare.segments == 1


def test_bare_tantivy_filters_by_project(bare: BareIndex) -> None:
    assert sorted(bare.search(["relay", "valve"], "rest", 10)) == [2]
    assert sorted(bare.search(["relay", "valve"], "half", 10)) == [1, 3]


def test_exact_scores_are_those_of_rank_bm25() -> None:
    field = ExactField(BODIES)
    tokens = ["relay", "valve", "absent"]
    assert field.scores(tokens) == pytest.approx(field.engine.get_scores(tokens))


def test_exact_scores_follow_the_formula() -> None:
    frequency, length, mean = 3, 9, 17 / 5
    idf = math.log((5 - 1 + 0.5) / (1 + 0.5))
    saturated = frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean))
    assert ExactField(BODIES).scores(["pump"])[2] == pytest.approx(idf * saturated)


def test_bare_tantivy_agrees_with_exact_scores(bare: BareIndex) -> None:
    field = ExactField(BODIES)
    for tokens in (["relay"], ["pump", "valve"], ["relay", "noise", "hum"]):
        keys = bare.search(tokens, None, 10)
        scores = field.scores(tokens)
        assert scores[[key - 1 for key in keys]].tolist() == sorted(scores[scores > 0])[::-1]


def test_tantivy_differs_from_exact_bm25_by_idf_and_lengths_only(tmp_path: Path) -> None:
    rng = random.Random(1)
    words = [f"word{n}" for n in range(400)]
    texts = [" ".join(rng.choices(words, k=rng.randint(90, 140))) for _ in range(800)]
    build(tmp_path / "many", [Row("half", text, "", "") for text in texts])
    engine, field = BareIndex(tmp_path / "many"), ExactField(texts)
    queries = [rng.sample(words, 3) for _ in range(20)]
    found = [[key - 1 for key in engine.search(query, None, 10)] for query in queries]

    def agreed() -> float:
        pairs = zip(found, queries, strict=True)
        return fmean(overlap(numbers, field.scores(query)) for numbers, query in pairs)

    exact = agreed()
    field.approximate()
    assert exact < agreed()
    assert agreed() == pytest.approx(1.0, abs=0.01)


def test_overlap_is_the_share_of_the_best_that_was_found() -> None:
    exact = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    assert overlap([0, 1], exact, 2) == 1.0
    assert overlap([1, 0], exact, 2) == 1.0
    assert overlap([0, 3], exact, 2) == 0.5
    assert overlap([4, 3], exact, 2) == 0.0


def test_a_ranking_that_is_too_short_misses_what_it_left_out() -> None:
    assert overlap([0], np.array([5.0, 4.0, 3.0, 2.0]), 4) == 0.25


def test_a_chunk_that_ties_with_the_last_is_as_good() -> None:
    exact = np.array([5.0, 3.0, 3.0, 1.0])
    assert overlap([0, 2], exact, 2) == overlap([0, 1], exact, 2) == 1.0
    assert overlap([0, 3], exact, 2) == 0.5


def test_only_chunks_that_match_are_wanted() -> None:
    exact = np.array([2.0, 0.0, 0.0])
    assert overlap([0], exact) == 1.0
    assert overlap([1], exact) == 0.0
    assert overlap([], np.zeros(3)) == 1.0
