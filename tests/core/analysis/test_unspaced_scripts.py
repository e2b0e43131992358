"""Scripts without spaces are indexed by characters and pairs, and searched by pairs."""

from __future__ import annotations

import pytest

from groundkit_core.analysis import Analyzer


@pytest.mark.parametrize(
    ("text", "index", "query"),
    [
        ("日本語", "日 本 語 日本 本語", "日本 本語"),
        ("日", "日", "日"),
        ("한국어", "한 국 어 한국 국어", "한국 국어"),
        ("ひらがな", "ひ ら が な ひら らが がな", "ひら らが がな"),
        ("日本語abc", "日 本 語 日本 本語 abc", "日本 本語 abc"),
        ("第2章", "第 2 章", "第 2 章"),
        ("ｶﾞｷﾞ", "ガ ギ ガギ", "ガギ"),
        ("นี้มา", "นี้ ม า นี้ม มา", "นี้ม มา"),
        ("你好，世界", "你 好 世 界 你好 世界", "你好 世界"),
        ("日本・語", "日 本 語 日本", "日本 語"),
        ("葛\U000e0100飾", "葛 飾 葛飾", "葛飾"),
    ],
)
def test_runs_give_characters_and_pairs(
    english: Analyzer, text: str, index: str, query: str
) -> None:
    assert sorted(english.tokens(text)) == sorted(index.split())
    assert english.query_tokens(text) == query.split()


@pytest.mark.parametrize("query", ["語", "本語", "日本語", "\uff3b日本語\uff3d"])
def test_a_part_of_a_run_finds_it(english: Analyzer, query: str) -> None:
    assert set(english.query_tokens(query)) <= set(english.tokens("これは日本語です。"))


def test_pairs_do_not_reach_across_spaces(english: Analyzer) -> None:
    assert "本語" not in english.tokens("日本 語")
