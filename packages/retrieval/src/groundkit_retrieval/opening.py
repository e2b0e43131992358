"""Opens a collection by the settings in force."""

from __future__ import annotations

from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Notice
from groundkit_core.settings import Settings
from groundkit_retrieval.collection import Collection
from groundkit_retrieval.rerank import RERANKERS, RerankerSettings
from groundkit_retrieval.tuning import RankingChoice


def open_collection(
    settings: Settings, name: str | None = None, notice: Notice | None = None
) -> Collection:
    """Open a collection for reading.

    Args:
        settings: where it is, how it is ranked and what is looked at again.
        name: the collection [the one the settings name].
        notice: told what a person should know, such as a download.

    Raises:
        CollectionNotFoundError: there is no such collection.
        SettingsError: the reranker is unknown, or a setting of it is wrong.
    """
    return Collection.open(
        name or settings.collection,
        index_dir=settings.index_dir,
        result_chars=settings.result_chars,
        ranking=RankingChoice(settings.fusion, settings.alpha),
        reranker=reranker_of(settings),
        notice=notice,
    )


def reranker_of(settings: Settings) -> RerankerSettings | None:
    """Return the reranker that is configured, or None.

    Raises:
        SettingsError: there is no reranker of that name.
    """
    if not settings.reranker:
        return None
    if settings.reranker not in RERANKERS:
        known = ", ".join(RERANKERS)
        raise SettingsError(f"no reranker {settings.reranker!r}; known: {known}")
    return RerankerSettings(settings.reranker, model=settings.reranker_model)
