"""The vectors of single tokens, for late interaction."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groundkit_core.errors import EmbeddingError
from groundkit_index.embedders.onnx.encoder import Batch
from groundkit_index.embedders.vectors import check_values, unit


def token_rows(batch: Batch) -> list[NDArray[np.float32]]:
    """Return the unit vectors of the tokens of each text of a batch, without special tokens.

    Raises:
        EmbeddingError: the model pools by itself, or a vector is not finite or zero.
    """
    if batch.output.ndim != 3:
        raise EmbeddingError("the model gives one vector a text and none for its tokens")
    return [
        _kept(output[: len(special)], special)
        for output, special in zip(batch.output, batch.special, strict=True)
    ]


def _kept(output: NDArray[np.float32], special: list[int]) -> NDArray[np.float32]:
    words = output[np.asarray(special, dtype=np.int64) == 0]
    check_values(words, "the model")
    return unit(words)
