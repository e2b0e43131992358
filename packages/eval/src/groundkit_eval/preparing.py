"""Makes an indexed corpus ready for the stages that were set up."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from groundkit_core.protocols import Embedder, Notice, Progress
from groundkit_eval.results import EmbeddingSummary, FusionSummary
from groundkit_eval.setup import Setup
from groundkit_eval.targets.folder import Target

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_index.snapshot import Snapshot

_PROBE = "groundkit"


def check_usable(setup: Setup, notice: Notice | None = None) -> None:
    """Make the embedder and the reranker once, before the long work, and embed a word.

    Raises:
        SettingsError: a provider is unknown, or a setting is wrong.
        EmbeddingError: an extra is missing, or the provider cannot be reached or fails.
    """
    with contextlib.ExitStack() as opened:
        embedder = None
        if setup.embedder is not None:
            embedder = _as_searches_make_it(setup.embedder, notice)
            opened.callback(embedder.close)
            embedder.embed_query(_PROBE)
        if setup.reranker is not None:
            from groundkit_retrieval.rerank import make_reranker

            reranker = make_reranker(setup.reranker, embedder, notice)
            opened.callback(reranker.close)


def _as_searches_make_it(settings: EmbedderSettings, notice: Notice | None) -> Embedder:
    """Return the embedder that a search will make of the collection's binding."""
    from groundkit_index.embedders import make_embedder
    from groundkit_index.vectors.binding import Binding

    with contextlib.closing(make_embedder(settings, notice)) as embedder:
        bound = Binding(embedder.identity, settings).to_manifest()
    return Binding.from_manifest(bound).embedder(notice)


def prepare(
    target: Target, setup: Setup, progress: Progress | None = None, notice: Notice | None = None
) -> Target:
    """Embed the collection where an embedder is set up, and return the target that is searched.

    Raises:
        EmbeddingError: the embedder cannot be reached or failed.
    """
    if setup.embedder is None:
        return replace(target, setup=setup)
    from groundkit_index.embedding import embed

    embed(
        index_dir=target.index_dir,
        collection=target.collection,
        embedder=setup.embedder,
        progress=progress,
        notice=notice,
    )
    return searched_with(target, setup)


def searched_with(target: Target, setup: Setup) -> Target:
    """Return the target as its collection is searched under a setup."""
    from groundkit_index import IndexReader

    with IndexReader.open(target.index_dir, target.collection) as reader:
        return reader.read(lambda snapshot: bound(target, setup, snapshot))


def bound(target: Target, setup: Setup, snapshot: Snapshot) -> Target:
    """Return the target with the embedder and the fusion that its collection is searched with."""
    from groundkit_retrieval.tuning import RankingChoice, fusion_of

    if snapshot.binding is None:
        return replace(target, setup=setup)
    fusion = fusion_of(snapshot, setup.ranking or RankingChoice())
    alpha = fusion.alpha if fusion.method == "weighted" else None
    return replace(
        target,
        setup=setup,
        embedding=EmbeddingSummary(**snapshot.binding["identity"]),
        fusion=FusionSummary(method=fusion.method, alpha=alpha),
    )
