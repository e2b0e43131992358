"""Finds the quotes of judgments in the decoded text of their sources."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from groundkit_core.contracts import SourceClass
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.filters import DocumentFilter
from groundkit_core.paths import read_beneath
from groundkit_core.text import decode
from groundkit_eval.judgments.jsonl import JudgmentFile
from groundkit_eval.judgments.model import Gold, JudgedQuery, Judgment, Place, Quote, SearchedClass
from groundkit_eval.judgments.problems import Problems

MAX_SOURCE_BYTES = 16 * 2**20


class Texts(Protocol):
    """Gives the decoded text of sources."""

    def read(self, source: str) -> str:
        """Return the text of a source.

        Raises:
            DocumentRefusedError: there is no such source, or it cannot be read.
        """


class FolderTexts:
    """The texts of a corpus folder."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus

    def read(self, source: str) -> str:
        """See `Texts`."""
        data, _ = read_beneath(self._corpus, source, max_bytes=MAX_SOURCE_BYTES)
        return decode(data).text


def anchor(file: JudgmentFile, texts: Path | Texts) -> tuple[JudgedQuery, ...]:
    """Anchor every quote of a judgments file in a corpus.

    Args:
        file: the judgments.
        texts: the corpus folder, or what gives the texts of another corpus.

    Raises:
        JudgmentsError: lists every malformed line, and every quote whose source cannot be read
            or that does not stand in it exactly once.
    """
    queries = anchor_leniently(file, texts)
    file.problems.raise_if_any()
    return queries


def anchor_leniently(file: JudgmentFile, texts: Path | Texts) -> tuple[JudgedQuery, ...]:
    """Anchor the quotes that can be; what is wrong with the others becomes a problem of the file.

    Args:
        file: the judgments.
        texts: the corpus folder, or what gives the texts of another corpus.
    """
    anchors = _Anchors(FolderTexts(texts) if isinstance(texts, Path) else texts)
    return tuple(
        JudgedQuery(
            id=judgment.id,
            text=judgment.query,
            category=judgment.category,
            source_class=judgment.source_class,
            gold=_gold(judgment, line, anchors, file.problems),
            line=line,
        )
        for line, judgment in file.judgments.items()
    )


def _gold(judgment: Judgment, line: int, anchors: _Anchors, problems: Problems) -> tuple[Gold, ...]:
    seen: set[Place] = set()
    gold = []
    for number, passage in enumerate(judgment.gold):
        places = []
        for which, quote in enumerate(passage.quotes):
            name = f"gold.{number}.any_of.{which}" if passage.any_of else f"gold.{number}"
            place = anchors.find(quote)
            if isinstance(place, str):
                problems.add(line, f"{name}: {place}")
            elif place in seen:
                problems.add(line, f"{name}: repeats an earlier quote")
            else:
                seen.add(place)
                places.append(place)
        if places:
            first, *others = places
            gold.append(
                Gold(first.source, first.start, first.end, first.text, passage.grade, tuple(others))
            )
    return tuple(gold)


class _Anchors:
    """Places of quotes; each source is read once."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._decoded = functools.cache(self._read)

    def find(self, quote: Quote) -> Place | str:
        """Return the place of a quote, or what is wrong with it."""
        text, problem = self._decoded(quote.source)
        if problem:
            return problem
        start = text.find(quote.quote)
        if start < 0:
            return f"the quote is not in {quote.source}; copy it exactly, line breaks included"
        if text.find(quote.quote, start + 1) >= 0:
            return f"the quote stands more than once in {quote.source}; lengthen it"
        return Place(quote.source, start, start + len(quote.quote), quote.quote)

    def _read(self, source: str) -> tuple[str, str]:
        try:
            return self._texts.read(source), ""
        except DocumentRefusedError as error:
            return "", f"source {source} cannot be read ({error.reason}); check the path"


def check_searchable(
    queries: tuple[JudgedQuery, ...],
    name: str,
    classes: Mapping[str, SourceClass],
    refused: Mapping[str, str],
) -> None:
    """Check that every gold passage lies in a document that its query searches.

    Args:
        queries: the judged queries.
        name: the name of the judgments file.
        classes: the source class of every indexed document.
        refused: files that were not indexed, with the reason.

    Raises:
        JudgmentsError: lists the gold passages that no search could find.
    """
    problems = Problems(name)
    note_unsearchable(problems, queries, classes, refused)
    problems.raise_if_any()


def note_unsearchable(
    problems: Problems,
    queries: tuple[JudgedQuery, ...],
    classes: Mapping[str, SourceClass],
    refused: Mapping[str, str],
) -> None:
    """Note the gold passages that no search could find; see `check_searchable`."""
    for query in queries:
        searched = DocumentFilter.of(query.source_class).classes
        places = [
            (number, place) for number, gold in enumerate(query.gold) for place in gold.places
        ]
        found = [classes.get(place.source) for _, place in places]
        for (number, place), source_class in zip(places, found, strict=True):
            if source_class is None:
                reason = refused.get(place.source, "hidden, ignored or of an unknown kind")
                problem = f"was not indexed ({reason})"
            elif source_class not in searched:
                problem = _left_out(source_class, query.source_class, alone=len(set(found)) == 1)
            else:
                continue
            problems.add(query.line, f"gold.{number}: {place.source} {problem}")


def _left_out(source_class: SourceClass, searched: SearchedClass, *, alone: bool) -> str:
    advice = f'add "source_class": "{source_class}"' if alone else "give it a query of its own"
    return f"is of class {source_class}, which a search of {searched!r} leaves out; {advice}"
