"""No text costs more than its length, and data does not flood the index."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Callable

import pytest

from groundkit_core.analysis import Analyzer
from groundkit_core.analysis.memo import Memo

BLOB = base64.b64encode(random.Random(7).randbytes(75_000)).decode()
SMALL, LARGE = 8_000, 64_000
HOSTILE = {
    "one letter": "a",
    "case changes": "aA",
    "digits and letters": "1a",
    "dots": ".",
    "dashes": "-",
    "dotted letters": "a.",
    "hyphened letters": "a-",
    "apostrophes": "a'",
    "colons": "a::",
    "slashes": "a/",
    "pluses": "a+",
    "capitals": "É",
    "unordered marks": "\u0300\u0316",
    "half-width marks": "ﾞ",
    "zero width": "\u200b\u0301",
    "surrogates": "\ud800",
    "Han": "漢",
    "emoji": "\U0001f600",
}


def cost(work: Callable[[str], object], text: str) -> float:
    seconds = []
    for _ in range(2):
        start = time.process_time()
        work(text)
        seconds.append(time.process_time() - start)
    return min(seconds)


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_the_work_grows_with_the_length(english: Analyzer, unit: str) -> None:
    small, large = ("x" + (unit * size)[:size] for size in (SMALL, LARGE))
    for work in (english.joined, lambda text: english.matches(text, ["漢"])):
        assert cost(work, large) < 32 * max(cost(work, small), 0.001)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "aA" * 500_000,
        "a." * 500_000,
        "a-" * 500_000,
        "x_1" * 300_000,
        BLOB,
        base64.urlsafe_b64encode(BLOB.encode()).decode(),
        f"data:{BLOB}",
    ],
    ids=["letters", "case", "dots", "dashes", "snake", "base64", "base64url", "data URI"],
)
def test_data_yields_a_handful_of_tokens(english: Analyzer, text: str) -> None:
    assert 0 < len(english.tokens(text)) <= 8


def test_a_line_of_base64_is_one_token(english: Analyzer) -> None:
    lines = [BLOB[i : i + 76] for i in range(0, 7600, 76)]
    assert len(english.tokens("\n".join(lines))) == len(lines)


def test_a_long_word_is_cut_and_still_found(english: Analyzer) -> None:
    for word in ("x" * 70, "ab_" * 30 + "c", "é" * 300):
        assert set(english.query_tokens(word)) <= set(english.tokens(f"see {word}."))
        assert max(map(len, english.tokens(word))) == 64


def test_the_tokens_of_one_word_are_bounded(english: Analyzer) -> None:
    assert len(english.tokens("_".join(f"part{i}" for i in range(30)))) <= 40


def test_a_cache_keeps_within_its_bounds() -> None:
    memo = Memo(str.upper, limit=10, max_key=3)
    assert [memo[key] for key in map(str, range(100))] == list(map(str, range(100)))
    assert memo["long key"] == "LONG KEY"
    assert len(memo) <= 10
    assert "long key" not in memo
