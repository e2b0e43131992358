"""Languages: names, stop-words, stems and the fingerprint."""

from __future__ import annotations

import subprocess
import sys

import pytest
import Stemmer

from groundkit_core.analysis import Analyzer
from groundkit_core.errors import SettingsError


@pytest.mark.parametrize("language", [*Stemmer.algorithms(), "none"])
def test_every_snowball_language_is_accepted(language: str) -> None:
    analyzer = Analyzer(language)
    assert analyzer.language == language
    assert analyzer.tokens("v2026.4.10")


@pytest.mark.parametrize(
    ("code", "language"),
    [("en", "english"), ("de", "german"), ("NB", "norwegian"), (" fr ", "french")],
)
def test_iso_codes_are_accepted(code: str, language: str) -> None:
    assert Analyzer(code).language == language
    assert Analyzer(code).fingerprint == Analyzer(language).fingerprint


def test_an_unknown_language_names_the_choices() -> None:
    with pytest.raises(SettingsError, match=r"unknown language 'klingon'.*english.*none"):
        Analyzer("klingon")


def test_fingerprints_tell_languages_and_stemmer_versions_apart() -> None:
    fingerprints = {Analyzer(name).fingerprint for name in ("english", "german", "none")}
    assert len(fingerprints) == 3
    assert Stemmer.version() in Analyzer("english").fingerprint


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("english", "to be or not to be"),
        ("english", "Who is it and how does it do that?"),
        ("german", "Über das, was wir nicht können"),
        ("french", "à qui est-ce que nous étions"),
        ("spanish", "¿Cuándo está él con nosotros?"),
        ("italian", "perché non è così"),
        ("portuguese", "não é você que está"),
        ("dutch", "waarom is het niet van hen"),
        ("swedish", "varför är det så"),
        ("danish", "hvorfor er det ikke på"),
        ("norwegian", "hvorfor er det ikke på"),
        ("russian", "почему это не всё"),
    ],
)
def test_text_of_stop_words_has_no_tokens(language: str, text: str) -> None:
    analyzer = Analyzer(language)
    assert analyzer.tokens(text) == []
    assert analyzer.query_tokens(text) == []


@pytest.mark.parametrize(
    "word", ["off", "before", "after", "while", "until", "own", "up", "over", "must", "us", "get"]
)
def test_words_with_a_technical_meaning_are_kept(english: Analyzer, word: str) -> None:
    assert english.tokens(word)


def test_without_a_language_nothing_is_dropped_or_stemmed(plain: Analyzer) -> None:
    assert plain.tokens("The Running of the bulls") == ["the", "running", "of", "the", "bulls"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("english", "run runs running"),
        ("german", "Häuser Haus Hauses"),
        ("french", "étudier étudié étudiée"),
        ("spanish", "canción canciones cancion"),
        ("hindi", "किताब किताबें"),
    ],
)
def test_inflected_forms_find_each_other(language: str, words: str) -> None:
    analyzer = Analyzer(language)
    first, *others = [set(analyzer.tokens(word)) for word in words.split()]
    assert all(first & other for other in others)


@pytest.mark.parametrize("word", ["sécurité", "étudiée", "qualità", "dobrého"])
@pytest.mark.parametrize("language", ["french", "italian", "czech", "english"])
def test_a_word_is_found_without_its_diacritics(language: str, word: str) -> None:
    analyzer = Analyzer(language)
    bare = word.translate(str.maketrans("éàý", "eay"))
    assert set(analyzer.query_tokens(bare)) <= set(analyzer.tokens(word))


def test_importing_the_analyzer_does_not_import_pydantic() -> None:
    code = "import sys, groundkit_core.analysis; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
