from __future__ import annotations

import math

import pytest

from groundkit_eval.measures.ranking import MEASURES, Ranking, mean, measure

Chunks = list[tuple[int, ...]]


def ranking(gold: int, covered: Chunks) -> Ranking:
    return Ranking((1,) * gold, tuple((f"c{number}", new) for number, new in enumerate(covered)))


def measured(gold: int, covered: Chunks) -> dict[str, float]:
    return measure({"q": ranking(gold, covered)})["q"]


def test_a_passage_found_at_once_scores_one_in_every_measure() -> None:
    assert measured(1, [(0,), ()]) == dict.fromkeys(MEASURES, 1.0)


def test_two_passages_at_ranks_two_and_three_by_hand() -> None:
    values = measured(2, [(), (0,), (1,)])
    gained = 1 / math.log2(3) + 1 / math.log2(4)
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert values["recall@1"] == 0.0
    assert values["recall@5"] == 1.0
    assert values["mrr@10"] == 0.5
    assert values["ndcg@10"] == pytest.approx(gained / ideal, abs=1e-6)
    assert values["ndcg@10"] == pytest.approx(0.693426, abs=1e-6)


def test_recall_is_the_share_of_passages_among_the_first_k_chunks() -> None:
    covered: Chunks = [(0,), (), (), (), (1,), (2,)]
    values = measured(4, covered)
    assert (values["recall@1"], values["recall@5"], values["recall@10"]) == (0.25, 0.5, 0.75)


def test_one_chunk_that_covers_two_passages_gives_full_recall_at_one_and_ideal_ndcg() -> None:
    values = measured(2, [(0, 1), ()])
    assert values["recall@1"] == 1.0
    assert values["ndcg@10"] == 1.0


def test_passages_of_one_chunk_take_places_in_succession() -> None:
    values = measured(3, [(0, 1), (), (2,)])
    gained = 1 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(5)
    ideal = 1 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert values["ndcg@10"] == pytest.approx(gained / ideal, abs=1e-6)


def test_recall_at_ten_counts_the_tenth_chunk_whatever_the_places_before_it() -> None:
    covered: Chunks = [(0, 1), *[()] * 8, (2,)]
    values = measured(3, covered)
    assert values["recall@10"] == 1.0
    assert values["mrr@10"] == 1.0


def test_what_stands_below_ten_counts_for_nothing() -> None:
    assert measured(1, [*[()] * 10, (0,)]) == dict.fromkeys(MEASURES, 0.0)


def test_an_empty_ranking_scores_zero_and_no_query_has_no_mean() -> None:
    assert measured(1, []) == dict.fromkeys(MEASURES, 0.0)
    assert measure({}) == {}
    assert mean([]) == dict.fromkeys(MEASURES, None)


def test_an_unanswered_query_pulls_the_mean_down() -> None:
    values = measure({"found": ranking(1, [(0,)]), "lost": ranking(1, []), "q3": ranking(1, [()])})
    assert mean(list(values.values()))["ndcg@10"] == pytest.approx(1 / 3, abs=1e-6)
    assert set(values) == {"found", "lost", "q3"}
