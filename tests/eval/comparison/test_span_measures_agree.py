"""The span measures against sets of single code points, and by hand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_eval.judgments.model import Gold, Place
from groundkit_eval.measures.selection import SpanMeasure
from groundkit_eval.measures.spans import measure_spans
from groundkit_eval.runs import RankedChunk

TEXT = "the quick brown fox jumps over the lazy dog and runs away from it all again"
ALL = tuple(SpanMeasure(kind, 3) for kind in ("TokenR", "TokenP", "IoU"))
spans = st.tuples(st.integers(0, 60), st.integers(1, 15)).map(lambda s: (s[0], s[0] + s[1]))
sources = st.sampled_from(["a.md", "b.md"])


def chunk(name: str, source: str, start: int, end: int) -> RankedChunk:
    return RankedChunk(name, Place(source, start, end, TEXT[start:end]))


def points(places: list[tuple[str, int, int]]) -> set[tuple[str, int]]:
    return {(source, at) for source, start, end in places for at in range(start, end)}


def starts(places: list[tuple[str, int, int]]) -> set[tuple[str, int]]:
    return {
        (source, start + word.start())
        for source, start, end in places
        for word in re.finditer(r"\w+", TEXT[start:end])
    }


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.tuples(sources, spans), min_size=1, max_size=3, unique=True),
    st.lists(st.tuples(sources, spans), max_size=5),
)
def test_agree_with_sets_of_points(
    gold: list[tuple[str, tuple[int, int]]], ranked: list[tuple[str, tuple[int, int]]]
) -> None:
    wanted = [(source, *span) for source, span in gold]
    shown = [(source, *span) for source, span in ranked]
    found = measure_spans(
        [chunk(f"c{n}", *place) for n, place in enumerate(shown)],
        [Gold(source, start, end, TEXT[start:end]) for source, start, end in wanted],
        ALL,
    )
    first = shown[:3]
    words, held = starts(wanted), starts(first)
    both = len(words & held)
    union = points(wanted) | points(first)
    assert found == pytest.approx(
        {
            "TokenR@3": both / len(words) if words else 0.0,
            "TokenP@3": both / len(held) if held else 0.0,
            "IoU@3": len(points(wanted) & points(first)) / len(union),
        },
        abs=2e-6,
    )


def test_by_hand_two_of_four_words_of_the_gold_among_five_that_were_retrieved() -> None:
    gold = [Gold("a.md", 4, 25, TEXT[4:25])]  # quick brown fox jumps
    ranked = [chunk("c", "a.md", 16, 39)]  # fox jumps over the lazy
    assert measure_spans(ranked, gold, ALL) == pytest.approx(
        {"TokenR@3": 2 / 4, "TokenP@3": 2 / 5, "IoU@3": 9 / 35}, abs=1e-6
    )


def test_overlapping_chunks_count_once() -> None:
    gold = [Gold("a.md", 0, 9, TEXT[0:9])]
    ranked = [chunk("c", "a.md", 0, 9), chunk("d", "a.md", 0, 9)]
    assert measure_spans(ranked, gold, ALL) == {"TokenR@3": 1.0, "TokenP@3": 1.0, "IoU@3": 1.0}


def test_of_alternatives_the_one_that_was_found_counts() -> None:
    gold = [Gold("a.md", 0, 9, TEXT[0:9], alternatives=(Place("b.md", 4, 15, TEXT[4:15]),))]
    found = measure_spans([chunk("c", "b.md", 4, 15)], gold, ALL)
    assert found == {"TokenR@3": 1.0, "TokenP@3": 1.0, "IoU@3": 1.0}


def test_a_folded_duplicate_stands_where_it_overlaps_gold() -> None:
    copy = RankedChunk(
        "c", Place("b.md", 0, 9, TEXT[0:9]), folded=(Place("a.md", 0, 9, TEXT[0:9]),)
    )
    assert measure_spans([copy], [Gold("a.md", 0, 9, TEXT[0:9])], ALL) == {
        "TokenR@3": 1.0,
        "TokenP@3": 1.0,
        "IoU@3": 1.0,
    }


def test_chunks_without_a_span_are_not_measured() -> None:
    gold = [Gold("a.md", 0, 9, TEXT[0:9])]
    assert measure_spans([RankedChunk("c", Place("a.md", text="x"))], gold, ALL) is None
    assert measure_spans([chunk("c", "a.md", 0, 9)], [Gold("a.md")], ALL) is None
