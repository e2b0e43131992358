from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts.significance import simulate

from groundkit_eval.comparison.holm import holm
from groundkit_eval.comparison.randomisation import PERMUTATIONS, p_values
from groundkit_eval.comparison.randomness import Stream

differences = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.75, 1.0]), max_size=9)


def counted(values: Sequence[float]) -> float:
    """Every pattern of signs, one by one."""
    observed = abs(sum(values))
    patterns = list(itertools.product((1, -1), repeat=len(values)))
    sums = (sum(s * v for s, v in zip(signs, values, strict=True)) for signs in patterns)
    return sum(abs(total) >= observed for total in sums) / len(patterns)


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([0.0, 0.0], 1.0),
        ([0.5], 1.0),
        ([0.1, 0.1, 0.1], 0.25),
        ([0.1, 0.1, 0.1, 0.0], 0.25),
        ([-0.2] * 6, 2 / 64),
        ([0.3, -0.3], 1.0),
        ([0.1, 0.2, 0.3], 0.25),
        ([0.1, 0.2, -0.3], 1.0),
    ],
)
def test_p_values_are_those_of_hand_computed_cases(values: list[float], p: float) -> None:
    assert p_values(values) == [p]


@settings(deadline=None)
@given(differences.filter(len))
def test_few_differences_are_counted_exactly(values: list[float]) -> None:
    assert p_values(values) == [pytest.approx(counted(values), abs=1e-12)]


def test_many_differences_are_drawn_close_to_the_exact_share() -> None:
    values = [0.1] * 20 + [-0.1] * 10
    tails = sum(math.comb(30, wins) for wins in range(31) if abs(wins - 15) >= 5)
    assert p_values(values)[0] == pytest.approx(tails / 2**30, abs=0.01)


def test_sums_that_differ_by_rounding_only_are_ties() -> None:
    assert p_values([0.1, 0.2, 0.3, -0.6]) == [1.0]


def test_a_drawn_p_value_is_never_zero_and_has_no_direction() -> None:
    values = [0.5] * 40
    assert p_values(values) == [1 / (1 + PERMUTATIONS)]
    mixed = [0.4, -0.1, 0.2] * 20
    assert p_values(mixed) == p_values([-value for value in mixed])


def test_a_column_is_tested_as_if_it_were_alone() -> None:
    rng = np.random.default_rng(3)
    table = rng.choice([-0.5, 0.0, 0.25, 1.0], size=(80, 4))
    table[5:, 1] = 0
    assert p_values(table) == [p_values(column)[0] for column in table.T]


def test_equal_seeds_give_equal_p_values_and_the_stream_is_pinned() -> None:
    values = [0.3, -0.2, 0.1, 0.0] * 20
    assert p_values(values, seed=4) == p_values(values, seed=4)
    assert p_values(values, seed=4) != p_values(values, seed=5)
    assert Stream(0).signs(2, 6).tolist() == [[-1, 1, -1, 1, 1, 1], [-1, -1, 1, -1, -1, -1]]
    assert Stream(0).counts(2, 4).tolist() == [[2, 1, 1, 0], [0, 0, 2, 2]]


@pytest.mark.parametrize(
    ("given_", "corrected"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm_corrects_as_in_hand_computed_cases(
    given_: list[float], corrected: list[float]
) -> None:
    assert holm(given_) == pytest.approx(corrected)


def test_a_thousand_comparisons_of_equals_keep_the_error_rate_and_the_intervals_cover() -> None:
    rates = simulate(1_000, queries=200, seed=1)
    assert 0.04 <= rates.rejected <= 0.06
    assert 0.93 <= rates.covered <= 0.97
