"""Looks at the best candidates again, and puts them into a new order."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundkit_core.errors import EmbeddingError
from groundkit_core.protocols import Notice
from groundkit_index.snapshot import Snapshot
from groundkit_index.vectors.text import embedded_text
from groundkit_retrieval.access import View
from groundkit_retrieval.query_embedding import QueryEmbedder
from groundkit_retrieval.ranking import Candidate, Fetch
from groundkit_retrieval.rerank import Reranker, RerankerSettings, blend, make_reranker

DEPTH = 10
WEIGHT = 0.5
_OF_THE_COLLECTION = "maxsim"


class CollectionReranker:
    """The reranker of a collection, made once; thread-safe.

    Args:
        settings: how it is set up.
        embedder: the collection's embedder, which `maxsim` looks through when it has no model.
        notice: told what a person should know, such as a download.

    Raises:
        SettingsError: the provider is unknown, or a setting is wrong.
        EmbeddingError: the provider needs an extra that is not installed.
    """

    def __init__(
        self, settings: RerankerSettings, embedder: QueryEmbedder, notice: Notice | None = None
    ) -> None:
        self._settings = settings
        self._embedder = embedder
        borrows = settings.provider == _OF_THE_COLLECTION and not settings.model
        self._own = None if borrows else make_reranker(settings, notice=notice)

    def of(self, snapshot: Snapshot) -> Reranker:
        """Return the reranker for a state of the collection.

        Raises:
            SettingsError: it needs the token vectors of an embedder that has none.
            EmbeddingError: the collection's embedder cannot be made.
        """
        if self._own is not None:
            return self._own
        bound = snapshot.binding
        return make_reranker(self._settings, self._embedder.embedder(bound) if bound else None)

    def close(self) -> None:
        """Free its model."""
        if self._own is not None:
            self._own.close()


@dataclass(slots=True)
class Reranked:
    """Candidates in their new order: the best ones by blended score, the others below them.

    Attributes:
        fetch_fused: where the candidates come from.
        failed: takes the reason when the reranker fails; the order stays as it was then.
        depth: how many candidates are looked at again.
    """

    view: View
    query: str
    reranker: CollectionReranker
    fetch_fused: Fetch
    failed: dict[str, str]
    depth: int = DEPTH
    _best: list[Candidate] | None = field(default=None)

    def fetch(self, limit: int, offset: int) -> list[Candidate]:
        """Return up to `limit` candidates from `offset` on, best first."""
        if self._best is None:
            self._best = self._reordered(self.fetch_fused(self.depth, 0))
        best = self._best[offset : offset + limit]
        if len(best) == limit:
            return best
        below = max(offset - len(self._best), 0)
        rest = self.fetch_fused(limit - len(best), self.depth + below)
        return best + [candidate._replace(score=0.0) for candidate in rest]

    def _reordered(self, candidates: list[Candidate]) -> list[Candidate]:
        held = self.view.chunks([candidate.chunk_key for candidate in candidates])
        known = [candidate for candidate in candidates if candidate.chunk_key in held]
        texts = [embedded_text(held[candidate.chunk_key]) for candidate in known]
        try:
            scores = self.reranker.of(self.view.snapshot).rerank(self.query, texts)
        except EmbeddingError as error:
            self.failed["rerank"] = str(error)
            return candidates
        blended = blend([candidate.score for candidate in known], scores, WEIGHT)
        order = sorted(range(len(known)), key=lambda i: (-blended[i], known[i].chunk_key))
        return [
            known[i]._replace(score=blended[i], scores={**known[i].scores, "rerank": scores[i]})
            for i in order
        ]
