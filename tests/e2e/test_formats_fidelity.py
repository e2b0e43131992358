from __future__ import annotations

import time

import pytest
from scripts.formats.fidelity import order, recall


def test_recall_counts_every_word_of_theirs() -> None:
    assert recall("The pump, THE seal", "the pump the valve") == 0.75
    assert recall("anything", "") == 1.0
    assert recall("", "word") == 0.0


def test_words_are_compared_without_regard_to_form_and_scripts_without_blanks_by_character() -> (
    None
):
    assert recall("\ufb01lter", "FILTER") == 1.0
    assert recall("中文字", "中 文") == 1.0


@pytest.mark.parametrize(
    ("ours", "expected"), [("a b c d", 1.0), ("a x b y c d", 1.0), ("c d a b", 0.5), ("q", 1.0)]
)
def test_order_is_the_longest_common_run_of_anchors(ours: str, expected: float) -> None:
    assert order(ours, "a b c d") == expected


def test_words_that_repeat_are_no_anchors() -> None:
    assert order("the a the b", "the b") == 1.0


def test_long_texts_are_quick() -> None:
    words = [f"w{number}" for number in range(100_000)]
    start = time.process_time()
    assert order(" ".join(words), " ".join(words[50_000:] + words[:50_000])) == 0.5
    assert time.process_time() - start < 5
