"""Runs the lexical and the dense branch and joins what they find."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field

from groundkit_core.contracts import Mode
from groundkit_core.errors import EmbeddingError, SettingsError, StorageError
from groundkit_core.filters import DocumentFilter
from groundkit_core.protocols import Check
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.fusion import Fusion
from groundkit_retrieval.query_embedding import QueryEmbedder
from groundkit_retrieval.ranking import Candidate

_DEPTH = 100
_LEAST = 10
Ranking = list[tuple[int, float]]


def unlimited() -> None:
    """Let work go on for as long as it takes."""


@dataclass(slots=True)
class Branches:
    """The branches of one query, run as deep as the page needs.

    Attributes:
        check: called between the steps; what it raises ends the search.
        lexical: (chunk key, BM25 score), best first.
        dense: (chunk key, cosine), best first.
        failed: branch -> reason.
    """

    snapshot: Snapshot
    query: str
    tokens: list[str]
    where: DocumentFilter
    mode: Mode
    embedder: QueryEmbedder
    executor: Callable[[], Executor]
    fusion: Fusion
    check: Check
    lexical: Ranking = field(default_factory=list)
    dense: Ranking = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    _depth: int = 0
    _joined: list[Candidate] = field(default_factory=list)

    @property
    def answered(self) -> Mode:
        """The mode that answers: `lexical` where the dense branch of a hybrid failed."""
        return "lexical" if self.mode == "hybrid" and "dense" in self.failed else self.mode

    @property
    def silent(self) -> bool:
        """Whether the only branch failed, so that nothing answers."""
        return self.mode == "dense" and "dense" in self.failed

    def fetch(self, limit: int, offset: int) -> list[Candidate]:
        """Return up to `limit` candidates from `offset` on, best first."""
        wanted = offset + limit
        if wanted > self._depth:
            self._depth = max(_DEPTH if self.mode == "hybrid" else _LEAST, wanted)
            self._run()
        return self._joined[offset:wanted]

    def _run(self) -> None:
        self.check()
        waiting: Future[Ranking] | None = None
        if self.mode == "hybrid" and "dense" not in self.failed:
            waiting = self.executor().submit(self._dense)
        elif self.mode == "dense":
            self.dense = self._guarded(self._dense)
        if self.mode != "dense":
            self.lexical = self.snapshot.lexical(self.tokens, self.where, self._depth)
        if waiting is not None:
            self.dense = self._guarded(waiting.result)
        self.check()
        self._joined = self._join()

    def _dense(self) -> Ranking:
        binding = self.snapshot.binding
        if binding is None:
            return []
        vector = self.embedder.embed(self.query, binding)
        return self.snapshot.dense(vector, self.where, self._depth)

    def _guarded(self, work: Callable[[], Ranking]) -> Ranking:
        try:
            return work()
        except (EmbeddingError, SettingsError, StorageError) as error:
            self.failed["dense"] = str(error)
            return []

    def _join(self) -> list[Candidate]:
        scores: dict[int, dict[str, float]] = {}
        for name, ranking in (("lexical", self.lexical), ("dense", self.dense)):
            for key, score in ranking:
                scores.setdefault(key, {})[name] = score
        if self.answered == "hybrid":
            order = self.fusion.join(self.lexical, self.dense)
        else:
            order = self.dense if self.mode == "dense" else self.lexical
        return [Candidate(key, score, scores[key]) for key, score in order]
