"""The rerankers, by name."""

from __future__ import annotations

from collections.abc import Callable

from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Embedder, Notice
from groundkit_retrieval.rerank.protocol import Reranker
from groundkit_retrieval.rerank.settings import RerankerSettings

_Maker = Callable[[RerankerSettings, Embedder | None, Notice], Reranker]


def make_reranker(
    settings: RerankerSettings, embedder: Embedder | None = None, notice: Notice | None = None
) -> Reranker:
    """Return the reranker that the settings name; its model loads at first use.

    Args:
        settings: the provider and its options.
        embedder: the collection's; `maxsim` uses it when it gives token vectors and no other
            model is named.
        notice: told, in one line each, what a person should know, such as a download.

    Raises:
        SettingsError: none is configured, it is unknown, or a setting is wrong.
        EmbeddingError: the provider needs an extra that is not installed.
    """
    known = ", ".join(RERANKERS)
    if not settings.provider:
        raise SettingsError(f"reranking was asked for and none is configured; known: {known}")
    maker = _MAKERS.get(settings.provider)
    if maker is None:
        raise SettingsError(f"no reranker {settings.provider!r}; known: {known}")
    return maker(settings, embedder, notice or _silent)


def _maxsim(settings: RerankerSettings, embedder: Embedder | None, _: Notice) -> Reranker:
    from groundkit_retrieval.rerank.maxsim import MaxSimReranker

    return MaxSimReranker.of(settings, embedder)


def _fastembed(settings: RerankerSettings, _: Embedder | None, notice: Notice) -> Reranker:
    from groundkit_retrieval.rerank.fastembed import FastembedReranker

    return FastembedReranker(settings, notice)


def _sentence_transformers(
    settings: RerankerSettings, _: Embedder | None, notice: Notice
) -> Reranker:
    from groundkit_retrieval.rerank.sentence_transformers import SentenceTransformersReranker

    return SentenceTransformersReranker(settings, notice)


def _silent(message: str) -> None:
    del message


_MAKERS: dict[str, _Maker] = {
    "fastembed": _fastembed,
    "maxsim": _maxsim,
    "sentence-transformers": _sentence_transformers,
}

RERANKERS: tuple[str, ...] = tuple(sorted(_MAKERS))
