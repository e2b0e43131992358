"""Marking: the words of the original text that share a token with the query."""

from __future__ import annotations

import pytest

from groundkit_core.analysis import Analyzer


def marked(analyzer: Analyzer, text: str, query: str) -> list[str]:
    spans = analyzer.matches(text, analyzer.query_tokens(query))
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("He runs; she was Running.", "run", ["runs", "Running"]),
        ("see `getUserName()` there", "username", ["getUserName"]),
        ("cafe\u0301s and CAF\u00c9", "caf\u00e9", ["cafe\u0301s", "CAF\u00c9"]),
        ("a \ufb01xed width", "fix", ["\ufb01xed"]),
        ("it is co\u00adoperative", "cooperate", ["co\u00adoperative"]),
        ("use C++ or C", "C++", ["C++"]),
        ("use C++ or C", "c", ["C"]),
        ("これは日本語です", "日本語", ["日本語"]),
        ("日本の日本語", "本", ["本", "本"]),
        ("日本語abc日本", "日本", ["日本", "日本"]),
        ("ｶﾞｷﾞｸﾞ", "ギ", ["ｷﾞ"]),
        ("half \u00bd cup", "2", ["\u00bd"]),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글", ["\u1112\u1161\u11ab\u1100\u1173\u11af"]),
        ("nothing here", "elsewhere", []),
        ("the and of", "the", []),
        ("", "word", []),
    ],
)
def test_words_of_the_query_are_marked(
    english: Analyzer, text: str, query: str, words: list[str]
) -> None:
    assert marked(english, text, query) == words


def test_offsets_count_code_points_of_the_original(english: Analyzer) -> None:
    text = "\U0001f600 e\u0301tude\r\n\u00e9tude"
    assert english.matches(text, english.query_tokens("etude")) == [(2, 8), (10, 15)]


def test_no_query_marks_nothing(english: Analyzer) -> None:
    assert english.matches("some words", []) == []
