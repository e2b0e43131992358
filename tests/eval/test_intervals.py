from __future__ import annotations

import math

import pytest

from groundkit_eval.calibration.intervals import clopper_pearson


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 1 - 0.025 ** (1 / 10)),
        (10, 10, 0.025 ** (1 / 10), 1.0),
        (0, 1, 0.0, 0.975),
        (5, 10, 0.1870860, 0.8129140),
        (1, 20, 0.0012651, 0.2487328),
        (10, 100, 0.0490047, 0.1762226),
    ],
)
def test_intervals_are_those_of_the_tables(count: int, of: int, low: float, high: float) -> None:
    assert clopper_pearson(count, of) == pytest.approx((low, high), abs=1e-6)


def test_the_interval_of_the_complement_is_mirrored() -> None:
    low, high = clopper_pearson(3, 17)
    assert clopper_pearson(14, 17) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_many_trials_give_a_narrow_interval_around_the_share() -> None:
    low, high = clopper_pearson(2_000, 20_000)
    assert 0.0955 < low < 0.1 < high < 0.1045


@pytest.mark.parametrize("of", [1, 7, 30])
def test_the_truth_is_covered_at_least_as_often_as_said(of: int) -> None:
    intervals = [clopper_pearson(count, of) for count in range(of + 1)]
    for truth in (0.01, 0.05, 0.2, 0.37, 0.5, 0.93):
        covered = math.fsum(
            math.comb(of, count) * truth**count * (1 - truth) ** (of - count)
            for count, (low, high) in enumerate(intervals)
            if low <= truth <= high
        )
        assert covered >= 0.95


def test_a_higher_level_gives_a_wider_interval() -> None:
    narrow, wide = clopper_pearson(4, 20, 0.9), clopper_pearson(4, 20, 0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
