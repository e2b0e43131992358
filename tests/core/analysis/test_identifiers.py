"""Identifiers and compounds are found whole, by their parts and by neighbouring parts."""

from __future__ import annotations

import pytest

from groundkit_core.analysis import Analyzer


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("getUserName", "getusername get user name getuser username"),
        ("GetUser", "getuser get user"),
        ("snake_case", "snake_case snakecase snake case"),
        ("kebab-case", "kebabcase kebab case"),
        ("HTTPServer", "httpserver http server"),
        ("parseURL", "parseurl parse url"),
        ("URLs", "urls"),
        ("getURLs", "geturls get urls"),
        ("parse2json", "parse2json parse 2 json parse2 2json"),
        ("IPv6", "ipv6 ip v 6 ipv v6"),
        ("MAX_RETRIES", "max_retries maxretries max retries"),
        ("std::vector", "std::vector stdvector std vector"),
        ("foo.bar()", "foo.bar foobar foo bar"),
        ("node.js", "node.js nodejs node js"),
        ("utf-8", "utf8 utf 8"),
        ("x86_64", "x86_64 x 86 64 x86 86_64"),
        ("éléphantRose", "elephantrose elephant rose"),
        ("приветМир", "приветмир привет мир"),
    ],
)
def test_compounds_are_whole_split_and_joined(plain: Analyzer, word: str, tokens: str) -> None:
    assert set(plain.tokens(word)) == set(tokens.split())


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("v2026.4.10", "v2026.4.10 2026.4.10 v 2026 4 10 v2026 2026.4 4.10"),
        ("2026-04-10", "2026-04-10 2026 04 10 2026-04 04-10"),
        ("python3.11", "python3.11 python 3 11 python3 3.11"),
        ("3.1", "3.1"),
    ],
)
def test_numbers_keep_what_stands_between_them(plain: Analyzer, word: str, tokens: str) -> None:
    assert set(plain.tokens(word)) == set(tokens.split())


@pytest.mark.parametrize("word", ["U.S.A.", "3D", "k8s"])
def test_single_characters_of_an_abbreviation_are_not_tokens(plain: Analyzer, word: str) -> None:
    assert all(len(token) > 1 for token in plain.tokens(word))


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("username", "getUserName"),
        ("getusername", "getUserName"),
        ("getUserName", "get_user_name"),
        ("get-user-name", "getUserName"),
        ("2026.4.10", "v2026.4.10"),
        ("v2026.4.10", "2026.4.10"),
        ("2026.4", "v2026.4.10"),
        ("email", "e-mail"),
        ("login", "log-in"),
        ("install", "docs/guide/install.md"),
        ("install.md", "docs/guide/install.md"),
        ("docs/guide", "docs/guide/install.md"),
        ("bar", "foo::bar"),
        ("os", "iOS17"),
    ],
)
def test_other_spellings_find_an_identifier(english: Analyzer, query: str, document: str) -> None:
    assert set(english.query_tokens(query)) & set(english.tokens(document))


def test_prose_compounds_do_not_join_stop_words(english: Analyzer) -> None:
    assert set(english.tokens("state-of-the-art")) == {"state", "art", "stateoftheart"}


def test_a_hyphen_is_only_a_spelling(english: Analyzer) -> None:
    assert set(english.tokens("follow-ups")) == {"follow", "up", "followup"}


@pytest.mark.parametrize(
    "word",
    [
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "550e8400-e29b-41d4-a716-446655440000",
        "aB3dE9fG",
    ],
)
def test_codes_are_one_token(english: Analyzer, word: str) -> None:
    assert english.tokens(word) == [word.lower()]
