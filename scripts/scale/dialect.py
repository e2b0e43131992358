"""Fresh rare words for text that is used again, so that the vocabulary goes on growing."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable

from scripts.scale.seeds import Seed

_WORD = re.compile(r"[A-Za-z]{5,}")
_VOWELS = "aeiou"
_CONSONANTS = "bcdfghjklmnpqrstvwxyz"


def rare_words(seeds: Iterable[Seed]) -> frozenset[str]:
    """The words, in lower case, that occur in one document only."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        text = "\n".join((seed.title, *seed.pieces))
        counts.update({word.lower() for word in _WORD.findall(text)})
    return frozenset(word for word, count in counts.items() if count == 1)


class Dialect:
    """Respells rare words letter by letter, vowels as vowels; other words stay.

    In natural text about half of all words occur once, and n-fold text holds about n^0.6 as many
    words (Heaps' law). Text that is merely repeated would hold no rare word at all.

    Args:
        rare: the words to respell, in lower case.
        seed: the same seed gives the same spelling.
    """

    def __init__(self, rare: frozenset[str], seed: str) -> None:
        rng = random.Random(seed)  # noqa: S311 - reproducible, not a secret
        self._rare = rare
        table: dict[int, int] = {}
        for letters in (_VOWELS, _CONSONANTS):
            other = "".join(rng.sample(letters, len(letters)))
            table |= str.maketrans(letters + letters.upper(), other + other.upper())
        self._table = table

    def respell(self, text: str) -> str:
        """The text with its rare words respelled."""
        return _WORD.sub(self._respell, text)

    def _respell(self, word: re.Match[str]) -> str:
        found = word[0]
        return found.translate(self._table) if found.lower() in self._rare else found
