"""Apostrophes: contractions, possessives, elisions and names."""

from __future__ import annotations

import pytest

from groundkit_core.analysis import Analyzer

APOSTROPHES = ["'", "\u2019", "\u2018", "\u02bc", "\uff07"]


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
def test_all_apostrophes_are_the_same(plain: Analyzer, apostrophe: str) -> None:
    text = "don't rock'n'roll O'Brien John's"
    assert plain.tokens(text.replace("'", apostrophe)) == plain.tokens(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("don't", "dont"),
        ("John's", "john"),
        ("JOHN'S", "john"),
        ("users'", "users"),
        ("'quoted'", "quoted"),
        ("O'Brien", "obrien o brien"),
        ("f'hello'", "fhello f hello"),
    ],
)
def test_apostrophes_without_a_language(plain: Analyzer, text: str, tokens: str) -> None:
    assert set(plain.tokens(text)) == set(tokens.split())


@pytest.mark.parametrize("text", ["don't", "dont", "we'll", "I'm", "they've", "it's", "isn't"])
def test_english_contractions_are_stop_words(english: Analyzer, text: str) -> None:
    assert english.tokens(text) == []


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("french", "l'avion", "avion"),
        ("french", "qu\u2019avion", "avion"),
        ("french", "jusqu'avion", "avion"),
        ("italian", "dell'acqua", "acqua"),
        ("catalan", "l'avi\u00f3", "avi\u00f3"),
    ],
)
def test_elided_particles_are_dropped(language: str, text: str, word: str) -> None:
    analyzer = Analyzer(language)
    assert analyzer.tokens(text) == analyzer.tokens(word) != []


def test_an_apostrophe_that_elides_nothing_closes_up() -> None:
    assert Analyzer("french").tokens("aujourd'hui") == Analyzer("french").tokens("aujourdhui")
