"""Many token vectors to one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groundkit_index.embedders.onnx.encoder import Batch
from groundkit_index.embedders.settings import Pooling


def pooled(batch: Batch, pooling: Pooling) -> NDArray[np.float32]:
    """Return one vector a text, shape (texts, dimensions).

    `mean` averages over what is not padding; `cls` takes the first token. A model
    that pools by itself is left alone.
    """
    if batch.output.ndim == 2:
        return batch.output
    if pooling == "cls":
        return batch.output[:, 0]
    weights = batch.mask.astype(np.float32)
    sums = np.matmul(weights[:, None, :], batch.output)[:, 0]
    mean: NDArray[np.float32] = sums / np.maximum(weights.sum(axis=1, keepdims=True), 1)
    return mean
