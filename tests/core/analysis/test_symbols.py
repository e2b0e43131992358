"""Names made of symbols are words; operators of query languages are not."""

from __future__ import annotations

import pytest

from groundkit_core.analysis import Analyzer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("C++", "c++"),
        ("(C++)", "c++"),
        ("C++17", "c++ 17"),
        ("C#", "c#"),
        ("'C#'", "c#"),
        ("C#8", "c# 8"),
        ("F#", "f#"),
        ("C", "c"),
        (".NET", ".net net"),
        ("[.NET]", ".net net"),
        (".gitignore", ".gitignore gitignore"),
        ("Notepad++", "notepad++ notepad"),
        ("I/O", "i/o io"),
        ("R&D", "r&d rd"),
        ("TCP/IP", "tcp ip"),
        ("page#anchor", "page anchor"),
        ("a++b", "a b"),
        ("...NET", "net"),
    ],
)
def test_symbols_belong_to_names(plain: Analyzer, text: str, tokens: str) -> None:
    assert set(plain.tokens(text)) == set(tokens.split())


def test_c_and_its_relatives_are_distinct(english: Analyzer) -> None:
    names = ["C", "C++", "C#"]
    assert [english.query_tokens(name) for name in names] == [["c"], ["c++"], ["c#"]]


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("NEAR(apple, 3)", ["near", "appl", "3"]),
        ('"exact phrase"', ["exact", "phrase"]),
        ("col:value", ["col", "valu"]),
        ("title:*", ["titl"]),
        ("-excluded +required", ["exclud", "requir"]),
        ("cat* AND NOT dog~2^3", ["cat", "dog", "2", "3"]),
        ("'); DROP TABLE chunks;--", ["drop", "tabl", "chunk"]),
        ("[a TO z] {x}", ["z", "x"]),
        ('"', []),
        ("* ( : - NOT", []),
    ],
)
def test_query_operators_are_words_or_nothing(
    english: Analyzer, query: str, tokens: list[str]
) -> None:
    assert english.query_tokens(query) == tokens
