"""Refuses a corpus that holds the questions: a search would find the question, not its answer."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from groundkit_eval.errors import LeakError
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.judgments.problems import one_line

MIN_WORDS = 5
"""A shorter query, such as an identifier or a name, may well stand in a document."""

_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; a script without spaces gives characters."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def word_starts(text: str) -> list[int]:
    """Return where the words of a text begin, in code points."""
    return [found.start() for found in _WORD.finditer(text)]


def is_distinctive(query: Sequence[str]) -> bool:
    """Tell whether the words are too many to stand in a document by chance.

    A character of a script without spaces counts as half a word.
    """
    halves = sum(1 if _is_unspaced(word) else 2 for word in query)
    return len(query) >= MIN_WORDS and halves >= 2 * MIN_WORDS


def _is_unspaced(word: str) -> bool:
    return len(word) == 1 and re.match(f"[{_UNSPACED}]", word) is not None


def gives_away(query: str, quote: str) -> bool:
    """Tell whether a query holds the quote that answers it, when that is distinctive."""
    quoted = words(quote)
    within = f" {' '.join(words(query))} "
    return is_distinctive(quoted) and f" {' '.join(quoted)} " in within


def refuse_inside(corpus: Path, path: Path, what: str) -> None:
    """Refuse a file of questions, or of answers, that lies inside the corpus folder.

    Raises:
        LeakError: it does, links resolved.
    """
    if path.resolve().is_relative_to(corpus.resolve()):
        raise LeakError(
            f"{what} {one_line(path.name)} lies inside the corpus; move it out of that folder"
        )


class LeakCheck:
    """Looks for the judged queries in the documents that were indexed.

    Args:
        queries: the judged queries.
        sha256: digest of the judgments file.
    """

    def __init__(self, queries: Iterable[JudgedQuery], sha256: str) -> None:
        self._sha256 = sha256
        self._by_start: dict[tuple[str, ...], list[tuple[list[str], JudgedQuery]]] = defaultdict(
            list
        )
        for query in queries:
            found = words(query.text)
            if is_distinctive(found):
                self._by_start[tuple(found[:MIN_WORDS])].append((found, query))
        self._first_words = {start[0] for start in self._by_start}

    def refuse(self, source: str, sha256: str, text: str) -> None:
        """Refuse a document that is the judgments file, or holds a query it does not answer.

        A document that answers a query may state it, as a heading of a FAQ does.

        Raises:
            LeakError: it does; the message names the document and the query.
        """
        if self.is_copy(sha256):
            raise LeakError(copied(source))
        for query in self.held_by(source, text):
            raise LeakError(
                f"{one_line(source)} holds the text of query {query.id} (line {query.line} of the "
                "judgments); reword the query or take the document out of the corpus"
            )

    def is_copy(self, sha256: str) -> bool:
        """Tell whether a document is the judgments file itself, by its digest."""
        return sha256 == self._sha256

    def held_by(self, source: str, text: str) -> Iterator[JudgedQuery]:
        """Yield the queries whose text a document holds although it does not answer them."""
        document = words(text)
        for place, word in enumerate(document):
            if word not in self._first_words:
                continue
            start = tuple(document[place : place + MIN_WORDS])
            for query_words, query in self._by_start.get(start, ()):
                if document[place : place + len(query_words)] == query_words and not _answers(
                    source, query
                ):
                    yield query


def copied(source: str) -> str:
    """Say that a document is the judgments file."""
    return f"{one_line(source)} is a copy of the judgments; remove it from the corpus"


def _answers(source: str, query: JudgedQuery) -> bool:
    return any(place.source == source for gold in query.gold for place in gold.places)
