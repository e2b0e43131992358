"""The engine's searches, as every surface offers them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from groundkit_core.contracts import Citation, Mode, SearchResponse
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.probabilities import probability, refuse_degraded
from groundkit_eval.runs import Answer, RankedChunk, Searcher
from groundkit_eval.stages.registry import OpenStage, stage
from groundkit_eval.targets.folder import Target

_UNCUT = 10**9
"""The ranking is measured, so no response is cut to its usual length."""


def _embedded(target: Target) -> bool:
    return target.embedding is not None


def _reranked(target: Target) -> bool:
    return target.setup.reranker is not None


def _engine(mode: Mode, *, rerank: bool = False) -> OpenStage:
    """Return what opens the collection and gives its search in a mode."""

    @contextlib.contextmanager
    def open_engine(target: Target) -> Iterator[Searcher]:
        from groundkit_retrieval import Collection

        with Collection.open(
            target.collection,
            index_dir=target.index_dir,
            result_chars=_UNCUT,
            ranking=target.setup.ranking,
            reranker=target.setup.reranker if rerank else None,
        ) as collection:

            def search(query: JudgedQuery, limit: int) -> Answer:
                return _answer(
                    collection.search(
                        query.text,
                        rerank=rerank,
                        limit=limit,
                        mode=mode,
                        source_class=query.source_class,
                    )
                )

            yield Searcher(
                search, lambda query: probability(collection, query.text, mode, query.source_class)
            )

    return open_engine


def _answer(response: SearchResponse) -> Answer:
    refuse_degraded(response)
    chunks = tuple(
        RankedChunk(
            hit.chunk_id,
            _place(hit.citation, hit.content),
            tuple(_place(duplicate, hit.content) for duplicate in hit.duplicates),
            hit.citation.verification,
        )
        for hit in response.results
    )
    return Answer(chunks, abstained=response.status == "NO_RELEVANT_CONTEXT")


def _place(citation: Citation, text: str) -> Place:
    start, end = citation.start_offset, citation.end_offset
    return Place(citation.source, start, end, text if len(text) == end - start else "")


stage("lexical", "groundkit search --mode lexical, citations verified, duplicates folded")(
    _engine("lexical")
)
stage("dense", "groundkit search --mode dense", _embedded)(_engine("dense"))
stage("hybrid", "groundkit search --mode hybrid", _embedded)(_engine("hybrid"))
stage(
    "lexical+rerank",
    "groundkit search --mode lexical --rerank",
    lambda target: _reranked(target) and not _embedded(target),
)(_engine("lexical", rerank=True))
stage(
    "hybrid+rerank",
    "groundkit search --mode hybrid --rerank",
    lambda target: _reranked(target) and _embedded(target),
)(_engine("hybrid", rerank=True))
