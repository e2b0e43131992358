from __future__ import annotations

import pytest

from groundkit_retrieval.fusion import rrf, weighted


def test_weighted_is_the_convex_combination_of_min_max_scores() -> None:
    lexical = [(1, 9.0), (2, 5.0), (3, 1.0)]
    dense = [(2, 0.8), (4, 0.4)]
    assert weighted(lexical, dense, 0.5) == [(2, 0.75), (1, 0.5), (3, 0.0), (4, 0.0)]
    assert weighted(lexical, dense, 0.0)[:3] == [(1, 1.0), (2, 0.5), (3, 0.0)]
    assert weighted(lexical, [], 0.5)[0] == (1, 0.5)
    assert weighted([], [], 0.5) == []


def test_equal_scores_all_count_as_best() -> None:
    assert weighted([(7, 2.0), (3, 2.0)], [], 0.0) == [(3, 1.0), (7, 1.0)]


def test_rrf_is_the_sum_of_reciprocal_ranks() -> None:
    found = dict(rrf([(1, 9.0), (2, 5.0)], [(2, 0.8), (3, 0.4)]))
    assert found[2] == pytest.approx(1 / 62 + 1 / 61)
    assert found[1] == pytest.approx(1 / 61)
    assert found[3] == pytest.approx(1 / 62)
