from __future__ import annotations

from groundkit_eval.stages.baseline import Bm25


def test_the_chunk_with_more_of_the_rarer_words_is_first() -> None:
    bags = [["job", "queue"], ["job", "retry", "delay"], ["job", "retry"], ["token"], ["backup"]]
    assert Bm25(bags).rank(["retry", "delay"]) == [1, 2]


def test_only_chunks_that_share_a_word_are_found() -> None:
    bags = [["a"], ["b"], ["c"], ["d"]]
    assert Bm25(bags).rank(["b", "unknown"]) == [1]
    assert Bm25(bags).rank(["unknown"]) == []
    assert Bm25(bags).rank([]) == []


def test_a_word_of_every_chunk_still_finds_them_all_in_order() -> None:
    assert Bm25([["a", "b"], ["a", "c"], ["a", "d"]]).rank(["a"]) == [0, 1, 2]


def test_a_word_said_twice_counts_once() -> None:
    bags = [["a", "x"], ["b", "y", "z"], ["c", "w", "v"], ["d", "u", "t"]]
    assert Bm25(bags).rank(["b", "a", "a"]) == Bm25(bags).rank(["b", "a"])


def test_chunks_without_any_word_rank_nothing() -> None:
    assert Bm25([[], []]).rank(["a"]) == []
    assert Bm25([]).rank(["a"]) == []
