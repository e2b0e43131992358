"""Answers a search request from one state of a collection."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from groundkit_core.contracts import (
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
from groundkit_core.protocols import Check
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.access import View
from groundkit_retrieval.assessing import Assessment, assess
from groundkit_retrieval.branches import Branches, unlimited
from groundkit_retrieval.citing import cite
from groundkit_retrieval.packing import pack
from groundkit_retrieval.query_embedding import QueryEmbedder
from groundkit_retrieval.ranking import Fetch, Selected, select
from groundkit_retrieval.reranking import CollectionReranker, Reranked
from groundkit_retrieval.tuning import RankingChoice, fusion_of


@dataclass(frozen=True, slots=True)
class Engine:
    """What all queries of a collection share.

    Attributes:
        collection: the collection's name.
        embedder: embeds queries when the collection has vectors.
        executor: runs the dense branch beside the lexical one.
        ranking: how the branches are joined, where it was chosen.
        budget: characters that one response holds at the most.
    """

    collection: str
    embedder: QueryEmbedder
    executor: Callable[[], Executor]
    ranking: RankingChoice
    budget: int


def answer(
    view: View,
    request: SearchRequest,
    engine: Engine,
    reranker: CollectionReranker | None = None,
    check: Check = unlimited,
    *,
    offset: int = 0,
) -> SearchResponse:
    """Return the passages that bear on a query, each checked, or an honest nothing.

    Args:
        view: what is searched, as the reader may see it.
        request: what is asked.
        engine: what all queries of the collection share.
        reranker: looks at the best passages again; None leaves them as they are.
        check: called between the stages; what it raises ends the search.
        offset: passages of the page to pass over.

    Raises:
        ModeUnavailableError: the mode needs vectors that the collection does not have.
        SettingsError: the reranker needs token vectors, which the collection's embedder has not.
    """
    started = time.perf_counter()
    branches = _branches(view, request, engine, check)
    page = select(
        view,
        _fetch(view, branches, reranker),
        branches.where,
        check,
        limit=request.limit,
        policy=request.confidence,
        query_words=frozenset(request.query.lower().split()),
    )
    level = assess(branches).level
    blocked = request.confidence == "strict" and level == "low"
    ranked = [] if blocked else [_hit(n, found, level) for n, found in enumerate(page.selected, 1)]
    hits, over_budget = pack(ranked[offset:], engine.budget)
    withheld = Withheld(
        unverified=page.unverified,
        low_confidence=len(page.selected) if blocked else 0,
        over_budget=over_budget,
    )
    return SearchResponse(
        status="OK" if ranked else "NO_RELEVANT_CONTEXT",
        reason=None if ranked else _reason(view, request, withheld, branches),
        query=request.query,
        mode=branches.mode,
        results=hits,
        coverage=_coverage(view, request, branches, withheld),
        metadata=SearchMetadata(
            collection=engine.collection,
            generation=view.snapshot.generation,
            took_ms=round(1000 * (time.perf_counter() - started), 3),
        ),
    )


def _fetch(view: View, branches: Branches, reranker: CollectionReranker | None) -> Fetch:
    if reranker is None:
        return branches.fetch
    return Reranked(view, branches.query, reranker, branches.fetch, branches.failed).fetch


def assess_request(view: View, request: SearchRequest, engine: Engine) -> Assessment:
    """Return how sure the engine is of its answer, without the answer.

    Raises:
        ModeUnavailableError: the mode needs vectors that the collection does not have.
    """
    branches = _branches(view, request, engine)
    branches.fetch(request.limit, 0)
    return assess(branches)


def _branches(
    view: View, request: SearchRequest, engine: Engine, check: Check = unlimited
) -> Branches:
    snapshot = view.snapshot
    return Branches(
        snapshot=snapshot,
        query=request.query,
        tokens=snapshot.analyzer.query_tokens(request.query),
        where=view.searched(request.source_class, request.project),
        mode=_mode(snapshot, request, engine.collection),
        embedder=engine.embedder,
        executor=engine.executor,
        fusion=fusion_of(snapshot, engine.ranking),
        check=check,
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


def _reason(
    view: View, request: SearchRequest, withheld: Withheld, branches: Branches
) -> AbsenceReason:
    if not view.classes(request.source_class):
        return "acl_denied"
    if withheld.low_confidence:
        return "strict_blocked_low"
    if withheld.unverified:
        return "strict_blocked_unverified"
    return "plane_failed" if branches.failed else "no_results"


def _coverage(
    view: View, request: SearchRequest, branches: Branches, withheld: Withheld
) -> Coverage:
    too_common = not branches.tokens and branches.mode != "dense"
    notes = ("the query has only words that are too common to search",) if too_common else ()
    return Coverage(
        searched=view.classes(request.source_class),
        skipped=view.skipped(request.source_class),
        failed=branches.failed,
        degraded=bool(branches.failed) and not branches.silent,
        notes=notes,
        withheld=withheld,
    )
