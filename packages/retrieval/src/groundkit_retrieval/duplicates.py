"""Finds passages that say the same as one ranked above them."""

from __future__ import annotations

from dataclasses import dataclass

_SAME = 0.9
_MIN_WORDS = 5


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The words of a passage, and those of them that the query asks for."""

    words: frozenset[str]
    asked: frozenset[str]

    @classmethod
    def of(cls, content: str, query: frozenset[str]) -> Fingerprint:
        """Return the fingerprint of a passage for a query in lower-case words."""
        words = frozenset(content.lower().split())
        return cls(words, words & query)

    def same_as(self, other: Fingerprint) -> bool:
        """Return whether two passages are copies of one another for the query.

        The Jaccard similarity of their words is at least 0.9 (copies of a page that differ in a
        version number), and both hold the same words of the query, so that a passage that
        answers by its difference is never folded away.
        """
        if self.asked != other.asked:
            return False
        if self.words == other.words:
            return True
        smaller, larger = sorted((len(self.words), len(other.words)))
        if smaller < _MIN_WORDS or smaller < _SAME * larger:
            return False
        shared = len(self.words & other.words)
        return shared >= _SAME * (smaller + larger - shared)
