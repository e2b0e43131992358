"""The one analyzer that feeds the index, the query and the marking of hits."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from groundkit_core.analysis.folding import normalize, normalize_aligned
from groundkit_core.analysis.languages import NO_LANGUAGE, resolve_language, snowball_version
from groundkit_core.analysis.memo import Memo
from groundkit_core.analysis.ngrams import bigrams, matching_spans, unigrams_and_bigrams
from groundkit_core.analysis.terms import TermMaker
from groundkit_core.analysis.words import word_pattern

_RULES = "groundkit-1"
_CHUNK = re.compile(r"\S+")


class Analyzer:
    """Turns text into tokens for one language; safe to share between threads.

    Tokens hold no whitespace and at most 64 code points.

    Args:
        language: a Snowball language or its ISO 639-1 code; `none` neither stems nor
            drops stop-words.

    Attributes:
        language: the Snowball name of the language, or `none`.
        fingerprint: differs between analyzers whose tokens may differ.

    Raises:
        SettingsError: the language is unknown; the message names the choices.
    """

    def __init__(self, language: str = "english") -> None:
        self.language = resolve_language(language)
        self.fingerprint = f"{_RULES}/{self.language}"
        if self.language != NO_LANGUAGE:
            self.fingerprint += f"/snowball-{snowball_version()}"
        self._terms = TermMaker(self.language).terms
        self._words = Memo(lambda word: " ".join(self._terms(word)))
        self._chunks = Memo(lambda chunk: self._analyze(chunk, unigrams_and_bigrams))

    def joined(self, text: str) -> str:
        """The tokens of `text` separated by one space or more."""
        return " ".join(map(self._chunks.__getitem__, text.split()))

    def tokens(self, text: str) -> list[str]:
        """The tokens to index, in the order of the text."""
        return self.joined(text).split()

    def query_tokens(self, text: str) -> list[str]:
        """The tokens to search: those of `tokens`, but only the bigrams of unspaced runs.

        A run of one character is that character. Empty when all are stop-words.
        """
        return " ".join(self._analyze(chunk, bigrams) for chunk in text.split()).split()

    def matches(self, text: str, query_tokens: Collection[str]) -> list[tuple[int, int]]:
        """Spans of the words of `text` that share a token with a query.

        Args:
            text: the text to mark, as it stands in the source.
            query_tokens: what `query_tokens` returned.

        Returns:
            Code point offsets into `text`, ascending, not overlapping.
        """
        wanted = frozenset(query_tokens)
        spans: list[tuple[int, int]] = []
        for chunk in _CHUNK.finditer(text):
            if wanted.isdisjoint(self._chunks[chunk[0]].split()):
                continue
            normalized, origins = normalize_aligned(chunk[0])
            for first, last in self._matching(normalized, wanted):
                start = chunk.start() + origins[first][0]
                end = chunk.start() + origins[last - 1][1]
                if spans and start < spans[-1][1]:
                    start = spans.pop()[0]
                spans.append((start, end))
        return spans

    def _analyze(self, chunk: str, ngrams: Callable[[str], list[str]]) -> str:
        chunk = normalize(chunk)
        words = self._words
        return " ".join(
            [
                words[word] if word else " ".join(ngrams(run))
                for word, run in word_pattern(chunk).findall(chunk)
            ]
        )

    def _matching(self, chunk: str, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
        for match in word_pattern(chunk).finditer(chunk):
            word, run = match.groups()
            if word:
                if not wanted.isdisjoint(self._words[word].split()):
                    yield match.span()
            else:
                for start, end in matching_spans(run, wanted):
                    yield match.start() + start, match.start() + end
