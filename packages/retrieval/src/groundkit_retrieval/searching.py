"""Answers a search request from one state of a collection."""

from __future__ import annotations

import time

from groundkit_core.analysis import Analyzer
from groundkit_core.contracts import (
    SOURCE_CLASSES,
    AbsenceReason,
    Coverage,
    Mode,
    SearchHit,
    SearchMetadata,
    SearchRequest,
    SearchResponse,
    Withheld,
)
from groundkit_core.errors import ModeUnavailableError
from groundkit_core.filters import DocumentFilter
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.citing import cite
from groundkit_retrieval.packing import pack
from groundkit_retrieval.ranking import Candidate, Page, Selected, select

LEXICAL: Mode = "lexical"


def answer(
    snapshot: Snapshot,
    analyzer: Analyzer,
    request: SearchRequest,
    *,
    collection: str,
    budget: int,
) -> SearchResponse:
    """Return the passages that bear on a query, each checked, or an honest nothing.

    Raises:
        ModeUnavailableError: the mode needs vectors that the collection does not have.
    """
    started = time.perf_counter()
    if request.mode not in (None, LEXICAL):
        raise ModeUnavailableError(
            f"collection {collection!r} has no vectors, so mode {request.mode!r} cannot answer; "
            "use mode 'lexical'"
        )
    where = DocumentFilter.of(request.source_class, request.project)
    tokens = analyzer.query_tokens(request.query)

    def fetch(limit: int, offset: int) -> list[Candidate]:
        hits = snapshot.lexical(tokens, where, limit, offset)
        return [Candidate(key, score, {LEXICAL: score}) for key, score in hits]

    page = select(
        snapshot,
        fetch,
        limit=request.limit,
        policy=request.confidence,
        query_words=frozenset(request.query.lower().split()),
    )
    hits, over_budget = pack([_hit(n, s) for n, s in enumerate(page.selected, 1)], budget)
    return SearchResponse(
        status="OK" if hits else "NO_RELEVANT_CONTEXT",
        reason=None if hits else _reason(page),
        query=request.query,
        mode=LEXICAL,
        results=hits,
        coverage=_coverage(request, where, tokens, page, over_budget),
        metadata=SearchMetadata(
            collection=collection,
            generation=snapshot.generation,
            took_ms=round(1000 * (time.perf_counter() - started), 3),
        ),
    )


def _hit(rank: int, selected: Selected) -> SearchHit:
    citation = cite(selected.record, selected.checked)
    return SearchHit(
        rank=rank,
        chunk_id=selected.record.chunk_id,
        content=selected.record.content,
        score=selected.candidate.score,
        scores=selected.candidate.scores,
        confidence="medium",
        citation=citation,
        duplicates=tuple(cite(record, checked) for record, checked in selected.duplicates),
    )


def _reason(page: Page) -> AbsenceReason:
    return "strict_blocked_unverified" if page.unverified else "no_results"


def _coverage(
    request: SearchRequest,
    where: DocumentFilter,
    tokens: list[str],
    page: Page,
    over_budget: int,
) -> Coverage:
    skipped: dict[str, str] = {}
    for name in SOURCE_CLASSES:
        if name not in where.classes:
            named = request.source_class == "all"
            skipped[name] = "searched only when named" if named else "not asked for"
    notes = () if tokens else ("the query has only words that are too common to search",)
    return Coverage(
        searched=tuple(name for name in SOURCE_CLASSES if name in where.classes),
        skipped=skipped,
        notes=notes,
        withheld=Withheld(unverified=page.unverified, over_budget=over_budget),
    )
