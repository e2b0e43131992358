from __future__ import annotations

import hashlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundkit_core.anchors import CONTEXT, Located, Quote, digest, locate, quote_at

words = st.text(st.sampled_from("abc é\n\r漢😀"), min_size=1, max_size=60)


@st.composite
def quoted(draw: st.DrawFn) -> tuple[str, int, int]:
    text = draw(words)
    start = draw(st.integers(0, len(text) - 1))
    return text, start, draw(st.integers(start + 1, len(text)))


def occurrences(text: str, part: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(part, at)]


@given(quoted())
def test_a_quote_is_verified_where_it_was_taken(case: tuple[str, int, int]) -> None:
    text, start, end = case
    assert locate(text, quote_at(text, start, end), start) == Located("verified", start, end)


@given(quoted(), words)
def test_text_inserted_above_relocates_by_its_length(
    case: tuple[str, int, int], inserted: str
) -> None:
    text, start, end = case
    quote = quote_at(text, start, end)
    later = inserted + text
    assume(len(occurrences(later, quote.exact)) == 1)
    moved = start + len(inserted)
    assert locate(later, quote, start) == Located("relocated", moved, moved + end - start)


@given(quoted(), st.data())
def test_an_edit_inside_drifts(case: tuple[str, int, int], data: st.DataObject) -> None:
    text, start, end = case
    at = data.draw(st.integers(start, end - 1))
    later = f"{text[:at]}#{text[at + 1 :]}"
    quote = quote_at(text, start, end)
    assume(quote.exact not in later)
    assert locate(later, quote, start) == Located("drifted", start, end)


@given(quoted(), words)
def test_no_verdict_points_at_other_text(case: tuple[str, int, int], later: str) -> None:
    text, start, end = case
    quote = quote_at(text, start, end)
    located = locate(later, quote, start)
    if located.verdict == "drifted":
        assert (located.start, located.end) == (start, end)
    else:
        assert later[located.start : located.end] == quote.exact


@given(st.text("ab", min_size=8, max_size=40), st.integers(0, 5), st.integers(1, 2))
def test_of_several_occurrences_only_context_decides(later: str, at: int, length: int) -> None:
    exact = later[at : at + length]
    quote = Quote(exact, prefix=later[:at][-2:], suffix=later[at + length :][:2])
    agreeing = [
        place
        for place in occurrences(later, exact)
        if later[:place].endswith(quote.prefix) and later[place + length :].startswith(quote.suffix)
    ]
    unique = len(occurrences(later, exact)) == 1
    located = locate(later, quote, len(later) + 1)
    if unique or (quote.prefix and quote.suffix and len(agreeing) == 1):
        assert located == Located("relocated", at, at + length)
    else:
        assert located.verdict == "drifted"


def test_a_duplicate_is_not_guessed() -> None:
    quote = Quote("same line", prefix="before ", suffix=" after")
    assert locate("same line. same line.", quote, 500).verdict == "drifted"


def test_context_tells_duplicates_apart() -> None:
    quote = Quote("same line", prefix="second ", suffix=" here")
    text = "the first same line here, the second same line here"
    assert locate(text, quote, 0) == Located("relocated", 37, 46)


def test_context_on_one_side_is_not_enough() -> None:
    text = "x same y same z"
    assert locate(text, Quote("same", suffix=" z"), 0).verdict == "drifted"
    assert locate(text, Quote("same", prefix="x "), 0).verdict == "drifted"


def test_overlapping_occurrences_count() -> None:
    assert locate("xaaa", Quote("aa"), 0).verdict == "drifted"


def test_context_is_bounded() -> None:
    text = "p" * 100 + "exact" + "s" * 100
    assert quote_at(text, 100, 105) == Quote("exact", "p" * CONTEXT, "s" * CONTEXT)


def test_context_ends_with_the_text() -> None:
    assert quote_at("a exact z", 2, 7) == Quote("exact", "a ", " z")


@pytest.mark.parametrize(("start", "end"), [(1, 1), (2, 1), (-1, 2), (0, 4)])
def test_a_span_that_is_empty_or_outside_has_no_quote(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="empty or outside"):
        quote_at("abc", start, end)


@pytest.mark.parametrize("start", [-3, 0, 3, 1000])
def test_any_old_place_is_looked_at_safely(start: int) -> None:
    assert locate("ab cab", Quote("cab"), start).verdict in {"verified", "relocated", "drifted"}


def test_a_quote_found_everywhere_is_decided_fast() -> None:
    text = "a" * 1_000_000
    assert locate(text, Quote("a" * 500, "b", "c"), 2_000_000).verdict == "drifted"


def test_the_digest_is_that_of_the_utf_8_bytes() -> None:
    assert digest("naïve 漢") == hashlib.sha256("naïve 漢".encode()).hexdigest()
