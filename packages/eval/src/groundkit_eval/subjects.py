"""What is evaluated: systems, with the facts of the corpus that they search."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.contracts.search import MAX_LIMIT
from groundkit_eval.judgments.model import Place
from groundkit_eval.results import (
    CorpusSummary,
    EmbeddingSummary,
    FusionSummary,
    RerankerSummary,
)
from groundkit_eval.runs import Answer, RankedChunk, Searcher
from groundkit_eval.setup import Setup
from groundkit_eval.stages import Stage
from groundkit_eval.systems import Settings, System
from groundkit_eval.targets.folder import Target, corpus_digest

if TYPE_CHECKING:
    from groundkit_eval.judgments.model import JudgedQuery
    from groundkit_index.catalog.records import ChunkRecord


@dataclass(frozen=True, slots=True)
class Facts:
    """What a result says of what was searched.

    Attributes:
        index: what was fixed when the collection was made; empty for other systems.
        corpus: the documents.
        embedding: the embedder; None when nothing was embedded.
        fusion: how hybrid stages join their branches.
        reranker: None when nothing was reranked.
        chunks: every chunk, where this process can see them.
    """

    index: dict[str, str | int]
    corpus: CorpusSummary
    embedding: EmbeddingSummary | None = None
    fusion: FusionSummary | None = None
    reranker: RerankerSummary | None = None
    chunks: tuple[ChunkRecord, ...] = ()


def facts_of(target: Target) -> Facts:
    """Return the facts of an indexed corpus."""
    documents = target.documents
    return Facts(
        index=target.settings,
        corpus=CorpusSummary(
            documents=len(documents),
            chunks=len(target.chunks),
            refused=target.refused,
            sha256=corpus_digest(list(documents.values())),
        ),
        embedding=target.embedding,
        fusion=target.fusion,
        reranker=_reranker(target.setup),
        chunks=target.chunks,
    )


def _reranker(setup: Setup) -> RerankerSummary | None:
    if setup.reranker is None:
        return None
    model = setup.reranker.model
    # A folder is named without the place where it lies, so that results stay comparable.
    shown = Path(model).expanduser().absolute().name if Path(model).expanduser().is_dir() else model
    return RerankerSummary(provider=setup.reranker.provider, model=shown if model else "")


def system_of(
    stage: Stage, target: Target, name: str = "", settings: Settings | None = None
) -> System:
    """Return a stage on a target as a system."""
    return System(
        name=name or stage.name,
        summary=stage.summary,
        open=partial(_opened, stage, target),
        settings=settings or {},
        most=MAX_LIMIT,
    )


@contextlib.contextmanager
def _opened(stage: Stage, target: Target) -> Iterator[Searcher]:
    with stage.open(target) as searcher:
        if not target.names:
            yield searcher
            return

        def search(query: JudgedQuery, limit: int) -> Answer:
            answer = searcher.search(query, limit)
            return replace(
                answer, chunks=tuple(_renamed(chunk, target.names) for chunk in answer.chunks)
            )

        yield Searcher(search, searcher.probability)


def _renamed(chunk: RankedChunk, names: dict[str, str]) -> RankedChunk:
    """Return a chunk with its sources as the judgments name them."""

    def named(place: Place) -> Place:
        source = names.get(place.source, place.source)
        return Place(source, place.start, place.end, place.text)

    folded = tuple(map(named, chunk.folded)) if chunk.folded else ()
    return RankedChunk(chunk.chunk_id, named(chunk.place), folded, chunk.verification)
