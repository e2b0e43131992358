from __future__ import annotations

import pytest

from groundkit_eval.judgments.model import Gold, Place
from groundkit_eval.measures.coverage import covered_by, newly_covered
from groundkit_eval.measures.matching import covers
from groundkit_eval.runs import RankedChunk

GOLD = Gold("a.md", 100, 110)


@pytest.mark.parametrize(
    ("start", "end", "covered"),
    [
        (0, 200, True),
        (100, 110, True),
        (90, 105, True),
        (90, 104, False),
        (105, 200, True),
        (106, 200, False),
        (103, 108, True),
        (103, 107, False),
        (0, 100, False),
        (110, 200, False),
    ],
)
def test_a_chunk_covers_a_passage_from_half_of_it_on(start: int, end: int, covered: bool) -> None:
    assert covers(Place("a.md", start, end), GOLD) is covered


def test_a_passage_of_odd_length_needs_the_larger_half() -> None:
    odd = Gold("a.md", 0, 5)
    assert covers(Place("a.md", 0, 3), odd)
    assert not covers(Place("a.md", 0, 2), odd)


def test_the_same_span_of_another_source_covers_nothing() -> None:
    assert not covers(Place("A.md", 0, 200), GOLD)


def test_a_folded_duplicate_covers_for_the_chunk_it_was_folded_into() -> None:
    chunk = RankedChunk("c1", Place("copy.md", 0, 50), folded=(Place("a.md", 90, 150),))
    assert covered_by(chunk, [Gold("other.md", 0, 9), GOLD]) == (1,)


def test_each_passage_counts_for_the_best_chunk_only() -> None:
    chunks = [
        RankedChunk("c1", Place("b.md", 0, 9)),
        RankedChunk("c2", Place("a.md", 0, 200)),
        RankedChunk("c3", Place("a.md", 95, 300)),
    ]
    later = Gold("a.md", 250, 260)
    assert newly_covered(chunks, [GOLD, later]) == ((), (0,), (1,))
    assert newly_covered(chunks[1:2], [GOLD, Gold("a.md", 0, 20)]) == ((0, 1),)
