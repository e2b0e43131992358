"""What counts as scores."""

from __future__ import annotations

import math
from collections.abc import Iterable

from groundkit_core.errors import EmbeddingError


def checked_scores(raw: Iterable[object], count: int, source: str) -> list[float]:
    """Return a model's scores as numbers.

    Raises:
        EmbeddingError: another number of them than passages, or one that is not finite.
    """
    try:
        scores = [float(score) for score in raw]  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise EmbeddingError(f"{source} gave more than one score a passage") from error
    if len(scores) != count:
        raise EmbeddingError(f"{source} gave {len(scores)} scores for {count} passages")
    if not all(math.isfinite(score) for score in scores):
        raise EmbeddingError(f"{source} gave a score that is not finite")
    return scores
