"""What holds for any text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.analysis import Analyzer

ANALYZERS = {name: Analyzer(name) for name in ("english", "french", "none")}
LETTERS = (
    "a B c9 Foo bar is the run Running get User HTTP 2026 10 é É e\u0301 ß İ ﬁ ½ ™ ŉ ´ ñ Ω ς й ё "
    "日 本語 ｶ ﾞ が か\u3099 한 \u1112 \u1161 \u11ab ที่ नि हि ع ٣ ' ’ - _ . :: / & # + ++ ( ) , "
    "\u00ad \u200b \u200d \ufe0f \u0301 \u0316 \U0001d165 \U0001f600 \ud800 \udfff \x00"
)
SPACES = " \n\u3000\x85\u2028"
PIECES = st.sampled_from([*LETTERS.split(), *SPACES])
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(st.characters(), max_size=40)
unhurried = settings(deadline=None)
WORDS = st.text("aAbBzZ019._-:'", min_size=1, max_size=60)


@pytest.mark.parametrize("analyzer", ANALYZERS.values(), ids=ANALYZERS)
@unhurried
@given(text=TEXTS)
def test_tokens_are_short_and_hold_no_whitespace(analyzer: Analyzer, text: str) -> None:
    tokens = analyzer.tokens(text)
    assert all(0 < len(token) <= 64 and token.split() == [token] for token in tokens)
    assert analyzer.joined(text).split() == tokens


@pytest.mark.parametrize("analyzer", ANALYZERS.values(), ids=ANALYZERS)
@unhurried
@given(text=TEXTS)
def test_a_text_is_found_by_its_own_words(analyzer: Analyzer, text: str) -> None:
    assert set(analyzer.query_tokens(text)) <= set(analyzer.tokens(text))


@pytest.mark.parametrize("analyzer", ANALYZERS.values(), ids=ANALYZERS)
@unhurried
@given(text=TEXTS)
def test_equivalent_texts_have_equal_tokens(analyzer: Analyzer, text: str) -> None:
    tokens = analyzer.tokens(text)
    assert analyzer.tokens(unicodedata.normalize("NFC", text)) == tokens
    assert analyzer.tokens(unicodedata.normalize("NFD", text)) == tokens
    assert analyzer.tokens(unicodedata.normalize("NFKC", text)) == tokens
    assert analyzer.tokens(unicodedata.normalize("NFKD", text)) == tokens


@unhurried
@given(text=TEXTS, query=TEXTS)
def test_marked_spans_are_ordered_and_apart(text: str, query: str) -> None:
    english = ANALYZERS["english"]
    end_before = 0
    for start, end in english.matches(text, english.query_tokens(query)):
        assert end_before <= start < end <= len(text)
        assert not any(char.isspace() for char in text[start:end])
        end_before = end


@unhurried
@given(text=TEXTS)
def test_marking_a_text_with_its_own_tokens_covers_them(text: str) -> None:
    english = ANALYZERS["english"]
    tokens = english.tokens(text)
    marked = " ".join(text[start:end] for start, end in english.matches(text, tokens))
    assert set(english.tokens(marked)) >= set(tokens)


@unhurried
@given(words=st.lists(WORDS, min_size=1, max_size=8))
def test_words_do_not_depend_on_how_they_are_separated(words: list[str]) -> None:
    english = ANALYZERS["english"]
    assert english.tokens(",".join(words)) == english.tokens(" ".join(words))
    assert english.tokens(",".join([*words, "日"])) == [*english.tokens(" ".join(words)), "日"]
