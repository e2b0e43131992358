from __future__ import annotations

import numpy as np
import pytest

from groundkit_eval.comparison.bootstrap import intervals, tail


def drawn(queries: int, seed: int = 1) -> list[float]:
    rng = np.random.default_rng(seed)
    return [float(v) for v in rng.choice([-1, -0.4, 0, 0, 0, 0.1, 0.6], size=queries)]


def test_values_that_are_all_equal_have_no_width() -> None:
    assert intervals([0.25] * 7) == [(0.25, 0.25)]
    assert intervals([0.25]) == [(0.25, 0.25)]


def test_an_interval_holds_the_mean_and_stays_within_the_values() -> None:
    values = drawn(50)
    ((low, high),) = intervals(values)
    assert min(values) <= low < sum(values) / 50 < high <= max(values)


def test_it_agrees_with_a_plain_bootstrap() -> None:
    values = np.array(drawn(80))
    rng = np.random.default_rng(9)
    means = np.sort([rng.choice(values, size=80).mean() for _ in range(20_000)])
    beyond = tail(80)
    expected = means[round(beyond * 20_000)], means[round((1 - beyond) * 20_000) - 1]
    assert intervals(values)[0] == pytest.approx(expected, abs=0.012)


def test_many_values_give_the_normal_interval() -> None:
    values = np.array(drawn(3_000))
    half = 1.96 * values.std(ddof=1) / np.sqrt(3_000)
    expected = (values.mean() - half, values.mean() + half)
    assert intervals(values)[0] == pytest.approx(expected, abs=0.002)


@pytest.mark.parametrize(
    ("queries", "quantile"), [(5, 2.776), (10, 2.262), (30, 2.045), (200, 1.972)]
)
def test_the_ends_are_read_off_where_the_t_distribution_puts_them(
    queries: int, quantile: float
) -> None:
    from statistics import NormalDist

    expected = NormalDist().cdf(-quantile * (queries / (queries - 1)) ** 0.5)
    assert tail(queries) == pytest.approx(expected, rel=0.03)


def test_columns_share_the_resamples_and_the_seed_decides() -> None:
    first, second = drawn(60), drawn(60, seed=2)
    assert intervals(list(zip(first, second, strict=True))) == [
        intervals(first)[0],
        intervals(second)[0],
    ]
    assert intervals(first, seed=1) != intervals(first, seed=2)


def test_a_higher_level_is_wider() -> None:
    ((low, high),) = intervals(drawn(60), level=0.99)
    ((inner_low, inner_high),) = intervals(drawn(60), level=0.9)
    assert low < inner_low < inner_high < high
