"""Answers a search request from one state of a collection."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from groundkit_core.contracts import (
    SOURCE_CLASSES,
    AbsenceReason,
    Confidence,
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
from groundkit_retrieval.branches import Branches
from groundkit_retrieval.citing import cite
from groundkit_retrieval.packing import pack
from groundkit_retrieval.query_embedding import QueryEmbedder
from groundkit_retrieval.ranking import Page, Selected, select


@dataclass(frozen=True, slots=True)
class Engine:
    """What all queries of a collection share.

    Attributes:
        collection: the collection's name.
        embedder: embeds queries when the collection has vectors.
        executor: runs the dense branch beside the lexical one.
        budget: characters that one response holds at the most.
    """

    collection: str
    embedder: QueryEmbedder
    executor: Callable[[], Executor]
    budget: int


def answer(snapshot: Snapshot, request: SearchRequest, engine: Engine) -> SearchResponse:
    """Return the passages that bear on a query, each checked, or an honest nothing.

    Raises:
        ModeUnavailableError: the mode needs vectors that the collection does not have.
    """
    started = time.perf_counter()
    branches = Branches(
        snapshot=snapshot,
        query=request.query,
        tokens=snapshot.analyzer.query_tokens(request.query),
        where=DocumentFilter.of(request.source_class, request.project),
        mode=_mode(snapshot, request, engine.collection),
        embedder=engine.embedder,
        executor=engine.executor,
    )
    page = select(
        snapshot,
        branches.fetch,
        branches.where,
        limit=request.limit,
        policy=request.confidence,
        query_words=frozenset(request.query.lower().split()),
    )
    ranked = [_hit(rank, found, "medium") for rank, found in enumerate(page.selected, 1)]
    hits, over_budget = pack(ranked, engine.budget)
    return SearchResponse(
        status="OK" if hits else "NO_RELEVANT_CONTEXT",
        reason=None if hits else _reason(page, branches),
        query=request.query,
        mode=branches.mode,
        results=hits,
        coverage=_coverage(request, branches, page, over_budget),
        metadata=SearchMetadata(
            collection=engine.collection,
            generation=snapshot.generation,
            took_ms=round(1000 * (time.perf_counter() - started), 3),
        ),
    )


def _mode(snapshot: Snapshot, request: SearchRequest, collection: str) -> Mode:
    if snapshot.binding is not None:
        return request.mode or "hybrid"
    if request.mode not in (None, "lexical"):
        raise ModeUnavailableError(
            f"collection {collection!r} has no vectors, so mode {request.mode!r} cannot answer; "
            "use mode 'lexical', or run `groundkit embed`"
        )
    return "lexical"


def _hit(rank: int, selected: Selected, confidence: Confidence) -> SearchHit:
    return SearchHit(
        rank=rank,
        chunk_id=selected.record.chunk_id,
        content=selected.record.content,
        score=selected.candidate.score,
        scores=selected.candidate.scores,
        confidence=confidence,
        citation=cite(selected.record, selected.checked),
        duplicates=tuple(cite(record, checked) for record, checked in selected.duplicates),
    )


def _reason(page: Page, branches: Branches) -> AbsenceReason:
    if page.unverified:
        return "strict_blocked_unverified"
    return "plane_failed" if branches.failed else "no_results"


def _coverage(request: SearchRequest, branches: Branches, page: Page, over_budget: int) -> Coverage:
    classes = branches.where.classes
    skipped: dict[str, str] = {}
    for name in SOURCE_CLASSES:
        if name not in classes:
            named = request.source_class == "all"
            skipped[name] = "searched only when named" if named else "not asked for"
    too_common = not branches.tokens and branches.mode != "dense"
    notes = ("the query has only words that are too common to search",) if too_common else ()
    return Coverage(
        searched=tuple(name for name in SOURCE_CLASSES if name in classes),
        skipped=skipped,
        failed=branches.failed,
        degraded=bool(branches.failed) and branches.mode == "hybrid",
        notes=notes,
        withheld=Withheld(unverified=page.unverified, over_budget=over_budget),
    )
