"""One word to its index terms."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundkit_core.analysis.apostrophes import apostrophe_resolver
from groundkit_core.analysis.folding import fold, lower
from groundkit_core.analysis.identifiers import compound_forms, split_compound
from groundkit_core.analysis.languages import make_stemmer, spells_with_diacritics
from groundkit_core.analysis.stopwords import stop_words
from groundkit_core.analysis.words import is_data

MAX_TERM = 64
"""Code points after which a term is cut."""

_NOT_STEMMED = re.compile(r"[\d._:-]")


class TermMaker:
    """Turns words into terms for one language; safe to share between threads."""

    def __init__(self, language: str) -> None:
        self._stops = stop_words(language)
        self._stem = make_stemmer(language)
        self._resolve_apostrophes = apostrophe_resolver(language)
        self._has_diacritics = spells_with_diacritics(language)

    def terms(self, word: str) -> list[str]:
        """The distinct terms of a word, as `word_pattern` matches it."""
        if is_data(word):
            return [fold(word[:MAX_TERM])[:MAX_TERM]]
        if word.isascii() and word.isalpha() and word[1:].islower():
            return self._finish([word.lower()])
        return list(dict.fromkeys(self._terms(word)))

    def _terms(self, word: str) -> list[str]:
        if word[-1] == "#":
            return [fold(word)]
        if "/" in word or "&" in word:
            return [fold(word), *self._finish([fold(word[0] + word[-1])])]
        base = word.removeprefix(".").removesuffix("++")
        if base == word:
            return self._compound(word)
        whole = fold(word)[:MAX_TERM]
        return [whole, *self._compound(base)] if len(base) > 1 else [whole]  # C++ is not C

    def _compound(self, word: str) -> list[str]:
        if "'" in word:
            word = self._resolve_apostrophes(word)
        parts, glue = split_compound(word)
        bare = [fold(part) for part in parts]
        terms = self._finish(compound_forms(bare, glue, self._stops))
        if self._has_diacritics and not word.isascii():
            # The stemmer knows endings such as -ité, the searcher may type -ite.
            known = zip(map(lower, parts), bare, strict=True)
            accented = self._finish(part for part, folded in known if folded not in self._stops)
            terms += map(fold, accented)
        return terms

    def _finish(self, forms: Iterable[str]) -> list[str]:
        words: list[str] = []
        others: list[str] = []
        for form in forms:
            if form not in self._stops:
                is_word = form.isalpha() or not _NOT_STEMMED.search(form)
                (words if is_word else others).append(form[:MAX_TERM])
        return others + self._stem(words)
