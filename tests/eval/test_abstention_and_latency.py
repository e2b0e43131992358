from __future__ import annotations

import pytest

from groundkit_eval.measures.abstention import Abstention, Outcome, abstention
from groundkit_eval.measures.auroc import auroc
from groundkit_eval.measures.latency import percentile


def outcomes(*pairs: tuple[bool, bool]) -> list[Outcome]:
    return [Outcome(answerable, abstained) for answerable, abstained in pairs]


def test_abstention_is_shared_out_by_whether_there_was_an_answer() -> None:
    found = outcomes((False, True), (False, False), (False, True), (False, True), (True, True))
    found += outcomes((True, False)) * 4
    assert abstention(found) == Abstention(unanswerable=0.75, answerable=0.2)


def test_a_share_of_no_queries_has_no_value() -> None:
    assert abstention(outcomes((True, False))) == Abstention(unanswerable=None, answerable=0.0)
    assert abstention([]) == Abstention(unanswerable=None, answerable=None)


def test_auroc_counts_the_pairs_in_the_right_order_and_ties_half() -> None:
    # Of the nine pairs, 0.9 wins three, 0.5 wins two and ties one, 0.2 wins one and ties one.
    assert auroc([0.9, 0.5, 0.2], [0.5, 0.2, 0.1]) == pytest.approx((3 + 2.5 + 1.5) / 9)


@pytest.mark.parametrize(
    ("positives", "negatives", "value"),
    [([0.9], [0.1], 1.0), ([0.1], [0.9], 0.0), ([0.3, 0.3], [0.3], 0.5), ([1, 2], [1.5], 0.5)],
)
def test_auroc_is_one_when_separate_and_half_by_chance(
    positives: list[float], negatives: list[float], value: float
) -> None:
    assert auroc(positives, negatives) == value


def test_the_gate_is_measured_where_it_was_asked_of_both_kinds() -> None:
    both = [Outcome(True, False, 0.8), Outcome(False, False, 0.3), Outcome(False, True, 0.9)]
    assert abstention(both).auroc == 0.5
    assert abstention(both[1:]).auroc is None
    assert abstention(outcomes((True, False), (False, True))).auroc is None


def test_percentiles_are_interpolated() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile([float(value) for value in range(101)], 95) == 95.0
    assert percentile([7.0], 95) == 7.0
