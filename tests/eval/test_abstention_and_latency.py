from __future__ import annotations

from groundkit_eval.measures.abstention import Abstention, abstention
from groundkit_eval.measures.latency import percentile


def test_abstention_is_shared_out_by_whether_there_was_an_answer() -> None:
    outcomes = [(False, True), (False, False), (False, True), (False, True), (True, True)]
    outcomes += [(True, False)] * 4
    assert abstention(outcomes) == Abstention(unanswerable=0.75, answerable=0.2)


def test_a_share_of_no_queries_has_no_value() -> None:
    assert abstention([(True, False)]) == Abstention(unanswerable=None, answerable=0.0)
    assert abstention([]) == Abstention(unanswerable=None, answerable=None)


def test_percentiles_are_interpolated() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile([float(value) for value in range(101)], 95) == 95.0
    assert percentile([7.0], 95) == 7.0
