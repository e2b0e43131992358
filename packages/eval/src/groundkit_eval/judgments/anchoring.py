"""Finds the quotes of judgments in the decoded text of their sources."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from groundkit_core.contracts import IngestReport, SourceClass
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.filters import DocumentFilter
from groundkit_core.paths import read_beneath
from groundkit_core.text import decode
from groundkit_eval.judgments.jsonl import JudgmentFile
from groundkit_eval.judgments.model import JudgedQuery, Judgment, Place, Quote, SearchedClass
from groundkit_eval.judgments.problems import Problems

MAX_SOURCE_BYTES = 16 * 2**20


def anchor(file: JudgmentFile, corpus: Path) -> tuple[JudgedQuery, ...]:
    """Anchor every quote of a judgments file in a corpus folder.

    Raises:
        JudgmentsError: lists every malformed line, and every quote whose source cannot be read
            or that does not stand in it exactly once.
    """
    anchors = _Anchors(corpus)
    queries = []
    for line, judgment in file.judgments.items():
        places = _places(judgment, line, anchors, file.problems)
        queries.append(
            JudgedQuery(
                id=judgment.id,
                text=judgment.query,
                category=judgment.category,
                source_class=judgment.source_class,
                gold=places,
                line=line,
            )
        )
    file.problems.raise_if_any()
    return tuple(queries)


def _places(
    judgment: Judgment, line: int, anchors: _Anchors, problems: Problems
) -> tuple[Place, ...]:
    places: dict[Place, None] = {}
    for number, quote in enumerate(judgment.gold):
        place = anchors.find(quote)
        if isinstance(place, str):
            problems.add(line, f"gold.{number}: {place}")
        elif place in places:
            problems.add(line, f"gold.{number}: repeats an earlier quote")
        else:
            places[place] = None
    return tuple(places)


class _Anchors:
    """Places of quotes; each source is read once."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
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
        return Place(quote.source, start, start + len(quote.quote))

    def _read(self, source: str) -> tuple[str, str]:
        try:
            data, _ = read_beneath(self._corpus, source, max_bytes=MAX_SOURCE_BYTES)
            return decode(data).text, ""
        except DocumentRefusedError as error:
            return "", f"source {source} cannot be read ({error.reason}); check the path"


def check_searchable(
    queries: tuple[JudgedQuery, ...],
    name: str,
    classes: Mapping[str, SourceClass],
    report: IngestReport,
) -> None:
    """Check that every gold passage lies in a document that its query searches.

    Args:
        queries: the judged queries.
        name: the name of the judgments file.
        classes: the source class of every indexed document.
        report: what the ingest said.

    Raises:
        JudgmentsError: lists the gold passages that no search could find.
    """
    problems = Problems(name)
    refused = {refusal.source: refusal.reason for refusal in report.refusals}
    for query in queries:
        searched = DocumentFilter.of(query.source_class).classes
        found = [classes.get(place.source) for place in query.gold]
        for number, (place, source_class) in enumerate(zip(query.gold, found, strict=True)):
            if source_class is None:
                reason = refused.get(place.source, "hidden, ignored or of an unknown kind")
                problem = f"was not indexed ({reason})"
            elif source_class not in searched:
                problem = _left_out(source_class, query.source_class, alone=len(set(found)) == 1)
            else:
                continue
            problems.add(query.line, f"gold.{number}: {place.source} {problem}")
    problems.raise_if_any()


def _left_out(source_class: SourceClass, searched: SearchedClass, *, alone: bool) -> str:
    advice = f'add "source_class": "{source_class}"' if alone else "give it a query of its own"
    return f"is of class {source_class}, which a search of {searched!r} leaves out; {advice}"
