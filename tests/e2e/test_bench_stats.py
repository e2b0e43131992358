"""The statistics of the benchmark."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.bench.stats import percentile, ratio, summarize

_values = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("percent", "expected"), [(50, 100.0), (95, 190.0), (100, 200.0), (0.1, 1.0)]
)
def test_percentile_is_by_nearest_rank(percent: float, expected: float) -> None:
    assert percentile([float(n) for n in range(200, 0, -1)], percent) == expected


@given(_values, st.floats(1, 100))
def test_percentile_is_a_value_that_enough_do_not_exceed(
    values: list[float], percent: float
) -> None:
    found = percentile(values, percent)
    assert found in values
    assert sum(value <= found for value in values) >= percent / 100 * len(values) - 1e-9


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1.0], 0), ([1.0], 101)])
def test_percentile_refuses_what_has_no_answer(values: list[float], percent: float) -> None:
    with pytest.raises(ValueError, match="percentile"):
        percentile(values, percent)


def test_summary_is_the_median_and_the_range() -> None:
    summary = summarize([9.0, 1.0, 2.0])
    assert (summary.median, summary.minimum, summary.maximum, summary.repeats) == (2.0, 1.0, 9.0, 3)


def test_summary_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        summarize([])


def test_ratio_is_ours_as_a_multiple_of_the_peers() -> None:
    assert ratio(3.0, 12.0) == 0.25
    assert ratio(3.0, 0.0) is None
