from __future__ import annotations

import pytest

from groundkit_core.errors import SettingsError
from groundkit_eval.measures.ranking import MEASURES, Ranking, measure
from groundkit_eval.measures.selection import select


def test_names_are_those_of_the_field_in_any_case_and_add_to_the_usual_ones() -> None:
    chosen = select("nDCG@20, AP,p@5,SUCCESS@1,IoU@5,tokenr@3")
    added = ("nDCG@20", "AP", "P@5", "Success@1", "IoU@5", "TokenR@3")
    assert chosen.keys == (*MEASURES, *added)
    assert chosen.deepest == (20, "nDCG@20")


def test_a_name_of_a_usual_measure_adds_nothing() -> None:
    assert select("nDCG@10,R@5,RR@10,MRR@10,recall@1").keys == MEASURES


@pytest.mark.parametrize(
    "name", ["nope", "ERR@20", "nDCG@0", "AP@", "IoU", "nDCG@10)(", "__import__('os')", "P"]
)
def test_an_unknown_name_is_an_error_that_names_it(name: str) -> None:
    with pytest.raises(SettingsError, match=r"no measure|cutoff"):
        select(name)


def test_grades_give_more_gain_to_what_answers_better() -> None:
    ranking = {"q": Ranking((1, 3), (("c0", (0,)), ("c1", (1,))))}
    found = measure(ranking)["q"]["ndcg@10"]
    assert found == pytest.approx((1 + 3 / 1.5849625) / (3 + 1 / 1.5849625), abs=1e-6)


def test_the_better_passage_of_one_chunk_takes_the_first_place() -> None:
    assert measure({"q": Ranking((1, 3), (("c0", (0, 1)),))})["q"]["ndcg@10"] == 1.0


def test_a_passage_judged_zero_is_no_gold_to_be_found() -> None:
    found = measure({"q": Ranking((0, 1), (("c0", ()), ("c1", (1,))))})["q"]
    assert (found["recall@5"], found["mrr@10"]) == (1.0, 0.5)
