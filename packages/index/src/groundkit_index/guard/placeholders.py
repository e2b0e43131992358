"""Tells a random token from a placeholder."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable

_MIN_ENTROPY = 2.8
_WORDS = re.compile(
    r"changeme|deadbeef|demo|dummy|example|fake|insert|placeholder|qwerty|redact|replace|sample"
    r"|secret|test|token|xxxx|your",
    re.IGNORECASE,
)
_REPEATED = re.compile(r"(.)\1{5}", re.DOTALL)
_RUN = 6
_ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "09876543210")
_RUNS = frozenset(
    alphabet[start : start + _RUN]
    for alphabet in _ALPHABETS
    for start in range(len(alphabet) - _RUN + 1)
)


def entropy(text: str) -> float:
    """Return the Shannon entropy of the characters of a text, in bits per character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def looks_random(token: str) -> bool:
    """Return whether a token is random, as opposed to a word, a pattern or a masked value."""
    return not (
        _WORDS.search(token)
        or _REPEATED.search(token)
        or _counts_up(token.lower())
        or entropy(token) < _MIN_ENTROPY
    )


def looks_generated(token: str) -> bool:
    """Return whether a token is random and has both letters and digits."""
    return _mixed(token, str.isalpha, str.isdigit) and looks_random(token)


def random_value(match: re.Match[str]) -> bool:
    """Confirm a match whose group `value` is random."""
    return looks_random(match["value"])


def mixed_value(match: re.Match[str]) -> bool:
    """Confirm a match whose group `value` is random and no run of words in one case."""
    value: str = match["value"]
    mixed = _mixed(value, str.isalpha, str.isdigit) or _mixed(value, str.islower, str.isupper)
    return mixed and looks_random(value)


def _mixed(token: str, *kinds: Callable[[str], bool]) -> bool:
    return all(any(map(kind, token)) for kind in kinds)


def _counts_up(token: str) -> bool:
    return any(token[start : start + _RUN] in _RUNS for start in range(len(token) - _RUN + 1))
