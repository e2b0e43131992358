from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_retrieval.rerank import blend

_SCORES = st.floats(allow_nan=False, allow_infinity=False)
_PAIRS = st.lists(st.tuples(_SCORES, _SCORES), max_size=8)


def test_scores_of_any_scale_are_blended() -> None:
    assert blend([10, 20, 30], [-1, 1, 0]) == [0, 0.75, 0.75]
    assert blend([10, 20, 30], [-1, 1, 0], weight=0.25) == pytest.approx([0, 0.625, 0.875])


def test_the_ends_of_the_weight_take_one_side() -> None:
    assert blend([1, 3, 2], [9, 7, 8], weight=0) == [0, 1, 0.5]
    assert blend([1, 3, 2], [9, 7, 8], weight=1) == [1, 0, 0.5]


def test_equal_scores_leave_the_order_to_the_other_side() -> None:
    assert blend([4, 4], [1, 2]) == [0.5, 1]
    assert blend([0.2], [-7]) == [1]
    assert blend([], []) == []


@given(_PAIRS, st.floats(0, 1))
def test_blended_scores_lie_between_0_and_1(
    pairs: list[tuple[float, float]], weight: float
) -> None:
    blended = blend([fused for fused, _ in pairs], [new for _, new in pairs], weight)
    assert len(blended) == len(pairs)
    assert all(0 <= score <= 1 + 1e-12 for score in blended)


@given(_PAIRS, st.floats(0, 1))
def test_a_passage_better_on_both_sides_stays_better(
    pairs: list[tuple[float, float]], weight: float
) -> None:
    blended = blend([fused for fused, _ in pairs], [new for _, new in pairs], weight)
    for left, left_score in zip(pairs, blended, strict=True):
        for right, right_score in zip(pairs, blended, strict=True):
            if left[0] >= right[0] and left[1] >= right[1]:
                assert left_score >= right_score


@pytest.mark.parametrize(
    ("fused", "reranked", "weight"),
    [
        ([1], [1, 2], 0.5),
        ([1, math.nan], [1, 2], 0.5),
        ([1, 2], [1, math.inf], 0.5),
        ([1], [1], 1.1),
        ([1], [1], math.nan),
    ],
)
def test_what_cannot_be_blended_is_refused(
    fused: list[float], reranked: list[float], weight: float
) -> None:
    with pytest.raises(ValueError, match=r"scores|finite|weight"):
        blend(fused, reranked, weight)
