"""How the collection of an evaluation is embedded, ranked and looked at again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundkit_core.errors import SettingsError

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_retrieval.rerank import RerankerSettings
    from groundkit_retrieval.tuning import RankingChoice


@dataclass(frozen=True, slots=True)
class Setup:
    """What was chosen for an evaluation beside its inputs; None chooses nothing.

    Attributes:
        embedder: embeds the collection, and adds the stages `dense` and `hybrid`.
        ranking: how the hybrid stages join their branches.
        reranker: adds a stage that looks at the best passages again.

    Raises:
        SettingsError: the choices do not fit together.
    """

    embedder: EmbedderSettings | None = None
    ranking: RankingChoice | None = None
    reranker: RerankerSettings | None = None

    def __post_init__(self) -> None:
        if self.ranking is None or (self.ranking.fusion is None and self.ranking.alpha is None):
            return
        fusion, alpha = self.ranking.fusion, self.ranking.alpha
        if self.embedder is None:
            raise SettingsError("fusion and alpha join two rankings, and need an embedder")
        if fusion == "rrf" and alpha is not None:
            raise SettingsError("alpha is the weight of 'weighted'; leave it out with 'rrf'")
        if alpha is not None and not 0 <= alpha <= 1:
            raise SettingsError(f"alpha must be between 0 and 1, not {alpha}")
