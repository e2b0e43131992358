"""How much of a text another extractor found, and in which order."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter

# Runs of letters and digits; scripts that are written without blanks count by the character.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    r"|[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)


def words(text: str) -> list[str]:
    """Return the words of a text in order, without regard to case and compatibility forms."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def recall(ours: str, theirs: str) -> float:
    """Return the share, 0 to 1, of their words that we have too.

    Words count as often as they occur; 1 for a text without words.
    """
    wanted = Counter(words(theirs))
    missed = wanted - Counter(words(ours))
    return 1.0 - missed.total() / wanted.total() if wanted else 1.0


def order(ours: str, theirs: str) -> float:
    """Return the share, 0 to 1, of common words that stand in the same order.

    Only anchors count: words that occur exactly once in either text. The longest run of anchors
    whose order agrees, gaps allowed, is their longest increasing subsequence: O(n log n).
    1 where there are no anchors.
    """
    first, second = words(ours), words(theirs)
    places = {word: place for place, word in enumerate(second)}
    once = _once(first) & _once(second)
    found = [places[word] for word in first if word in once]
    return _longest_rise(found) / len(found) if found else 1.0


def _once(found: list[str]) -> set[str]:
    return {word for word, count in Counter(found).items() if count == 1}


def _longest_rise(numbers: list[int]) -> int:
    tails: list[int] = []
    for number in numbers:
        at = bisect_left(tails, number)
        tails[at : at + 1] = [number]
    return len(tails)
