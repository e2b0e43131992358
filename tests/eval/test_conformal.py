from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from groundkit_eval import CalibrationError
from groundkit_eval.calibration.conformal import bound, least, rank, threshold
from groundkit_eval.calibration.halves import halves

Draw = Callable[[random.Random], float]
RATES = (0.05, 0.1, 0.3)


def continuous(draw: random.Random) -> float:
    return draw.betavariate(2, 5)


def tied(draw: random.Random) -> float:
    return round(draw.betavariate(2, 5), 1)


@pytest.mark.parametrize(
    ("count", "rate", "k"),
    [(19, 0.05, 19), (20, 0.05, 20), (39, 0.05, 38), (9, 0.1, 9), (10, 0.1, 10), (18, 0.05, 19)],
)
def test_the_rank_is_that_of_the_definition(count: int, rate: float, k: int) -> None:
    assert rank(count, rate) == k


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.1, 0.15, 0.3, 0.5, 0.9])
def test_the_least_number_is_the_first_that_has_a_rank(rate: float) -> None:
    needed = least(rate)
    assert rank(needed, rate) <= needed
    assert all(rank(fewer, rate) > fewer for fewer in range(needed))


def test_a_rate_is_taken_as_it_is_written() -> None:
    for count in range(1, 400):
        assert rank(count, 0.1) == math.ceil(Fraction(9 * (count + 1), 10))


def test_the_threshold_is_just_above_the_kth_smallest() -> None:
    values = [n / 100 for n in range(1, 20)]
    found = threshold(values[::-1], 0.1)
    assert found == math.nextafter(0.18, 1.0)
    assert [value for value in values if value >= found] == [0.19]


def test_equal_probabilities_count_against_answering() -> None:
    found = threshold([0.4] * 19, 0.1)
    assert 0.4 < found < 0.4000001


def test_too_few_probabilities_are_refused_with_the_number_needed() -> None:
    with pytest.raises(CalibrationError, match=r"0\.05 needs 19 .* there are 18"):
        threshold([0.1] * 18, 0.05)


def test_certain_probabilities_leave_no_threshold() -> None:
    with pytest.raises(CalibrationError, match="probability 1"):
        threshold([1.0] * 19, 0.05)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("values", [continuous, tied])
def test_of_queries_left_out_one_by_one_no_more_than_the_rate_are_answered(
    values: Draw, rate: float
) -> None:
    draw = random.Random(7)
    for count in (least(rate), 40, 57):
        drawn = [values(draw) for _ in range(count + 1)]
        answered = sum(
            value >= threshold(drawn[:place] + drawn[place + 1 :], rate)
            for place, value in enumerate(drawn)
        )
        assert Fraction(answered, count + 1) <= Fraction(str(rate))
        if values is continuous:
            assert answered / (count + 1) == bound(count, rate)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("values", [continuous, tied])
def test_the_mean_false_answer_rate_over_repetitions_keeps_the_bound(
    values: Draw, rate: float
) -> None:
    draw = random.Random(11)
    rounds, count, fresh = 400, 45, 50
    answered = 0
    for _ in range(rounds):
        found = threshold([values(draw) for _ in range(count)], rate)
        answered += sum(values(draw) >= found for _ in range(fresh))
    mean = answered / (rounds * fresh)
    # What the mean of so many rounds strays by: the rate of a round is a beta variable.
    spread = math.sqrt(rate * (1 - rate) / rounds * (1 / (count + 2) + 1 / fresh))
    assert mean <= rate + 3 * spread
    if values is continuous:
        assert mean == pytest.approx(bound(count, rate), abs=4 * spread)


def test_halves_depend_on_the_ids_alone_and_are_equal() -> None:
    ids = [f"query-{n}" for n in range(101)]
    calibration, held_out = halves(ids)
    assert (len(calibration), len(held_out)) == (51, 50)
    assert sorted(calibration + held_out) == sorted(ids)
    assert halves(reversed(ids)) == (calibration, held_out)
    assert calibration != sorted(calibration)
