"""Inner products of a query with many vectors, on every core."""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from groundkit_index.embedders.extras import usable_cores

Matrix = NDArray[np.float32]

_PART_ROWS = 16_384


def products(vectors: Matrix, query: Matrix) -> Matrix:
    """Return the inner product of each row with the query, shape (rows,).

    Each row is summed by itself, so equal vectors score the same wherever they stand. A matrix
    product does not promise that, and its threads wait for each other where cores are busy.

    Args:
        vectors: shape (rows, dimensions).
        query: shape (dimensions,).
    """
    found = np.empty(len(vectors), np.float32)
    parts = max(1, min(usable_cores(), len(vectors) // _PART_ROWS))
    bounds = [len(vectors) * part // parts for part in range(parts + 1)]

    def part(first: int, end: int) -> None:
        # Damaged vectors may overflow; what comes of them is told by its score.
        with np.errstate(over="ignore", invalid="ignore"):
            np.vecdot(vectors[first:end], query, out=found[first:end])

    others = [_pool().submit(part, *pair) for pair in pairwise(bounds[1:])]
    part(0, bounds[1])
    for other in others:
        other.result()
    return found


def best(scores: Matrix, keys: NDArray[np.uint64], wanted: int) -> NDArray[np.intp]:
    """Return the places of the best scores, best first, ties by key.

    Args:
        scores: shape (rows,).
        keys: shape (rows,).
        wanted: how many, at least 1 and at most the rows.
    """
    least = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    places = np.flatnonzero(scores >= least)
    order = np.lexsort((keys[places], -scores[places]))[:wanted]
    return np.asarray(places[order])


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(usable_cores(), thread_name_prefix="groundkit-scan")
