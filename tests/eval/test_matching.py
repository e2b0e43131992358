from __future__ import annotations

import pytest

from groundkit_eval.judgments.model import Gold, Place
from groundkit_eval.measures.coverage import by_document, covered_by
from groundkit_eval.measures.matching import covers, holds_half, rule_of
from groundkit_eval.runs import RankedChunk

QUOTE = "A token is valid for ninety days."
GOLD = Gold("a.md", 100, 100 + len(QUOTE), QUOTE)


@pytest.mark.parametrize(
    ("chunk", "rule"),
    [
        (Place("a.md", 0, 9, "text"), "span"),
        (Place("a.md", text="text"), "text"),
        (Place("a.md", text=" \n"), "source"),
        (Place("a.md"), "source"),
    ],
)
def test_a_span_decides_before_the_text_and_the_text_before_the_source(
    chunk: Place, rule: str
) -> None:
    assert rule_of(chunk) == rule


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (QUOTE, True),
        ("before A token is\n  valid   for ninety", True),
        ("is valid for ninety days.", True),
        ("A token is valid", False),
        ("A token ... is valid for ... ninety days.", False),
        ("", False),
    ],
)
def test_a_text_holds_a_quote_from_half_of_it_on_in_one_piece(text: str, held: bool) -> None:
    assert holds_half(text, QUOTE) is held


def test_a_text_counts_in_the_same_source_only() -> None:
    assert covers(Place("a.md", text=QUOTE), GOLD)
    assert not covers(Place("b.md", text=QUOTE), GOLD)


def test_a_chunk_with_a_span_elsewhere_is_not_saved_by_its_text() -> None:
    assert not covers(Place("a.md", 0, 50, QUOTE), GOLD)


def test_a_source_alone_covers_its_passages_and_a_whole_document_is_covered_by_any_chunk() -> None:
    assert covers(Place("a.md"), GOLD)
    assert covers(Place("a.md", 3, 9, "x"), Gold("a.md"))
    assert not covers(Place("b.md"), GOLD)


def test_one_of_several_places_suffices_and_counts_once() -> None:
    either = Gold("a.md", 0, 10, alternatives=(Place("b.md", 0, 10),))
    chunks = [RankedChunk("c1", Place("b.md", 0, 10)), RankedChunk("c2", Place("a.md", 0, 10))]
    assert [covered_by(chunk, [either]) for chunk in chunks] == [(0,), (0,)]


def test_what_was_judged_not_to_answer_is_never_covered() -> None:
    chunk = RankedChunk("c", Place("a.md", 0, 10))
    assert covered_by(chunk, [Gold("a.md", 0, 10, grade=0), Gold("a.md", 0, 10)]) == (1,)


def test_documents_rank_where_their_first_chunk_stands() -> None:
    chunks = [RankedChunk(f"c{n}", Place(source)) for n, source in enumerate("abacb")]
    assert [chunk.chunk_id for chunk in by_document(chunks)] == ["c0", "c1", "c3"]
