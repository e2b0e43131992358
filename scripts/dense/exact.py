"""Exact neighbours, by a product in float64 and a full sort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scripts.dense.synthetic import Matrix

from groundkit_core.filters import DocumentFilter
from groundkit_index.vectors.slab import Slab

PAGE = 10
_PORTION = 20_000

Search = Callable[[Matrix, DocumentFilter, int], list[tuple[int, float]]]


def recall(search: Search, slab: Slab, queries: Matrix, project: str | None) -> float:
    """Return the mean share of the ten exact neighbours that a search finds.

    Args:
        search: what is measured.
        slab: all vectors, with keys and projects.
        queries: unit vectors, shape (queries, dimensions).
        project: look only at this project; None looks at all.
    """
    where = DocumentFilter.of("all", project)
    keys = slab.labels["key"]
    allowed = [label for label in range(len(keys)) if _is_in(slab, label, project)]
    nearest = _nearest(slab.vectors, np.asarray(allowed), queries)
    shares = []
    for query, rows in zip(queries, nearest, strict=True):
        found = {key for key, _ in search(query, where, PAGE)}
        shares.append(len(found & set(keys[rows].tolist())) / len(rows))
    return float(np.mean(shares))


def _is_in(slab: Slab, row: int, project: str | None) -> bool:
    label = slab.labels[row]
    return bool(label["key"]) and project in (None, slab.projects[label["project"]])


def _nearest(vectors: Matrix, rows: NDArray[np.intp], queries: Matrix) -> Sequence[NDArray[Any]]:
    portions = [
        queries.astype(np.float64) @ vectors[rows[first : first + _PORTION]].T.astype(np.float64)
        for first in range(0, len(rows), _PORTION)
    ]
    order = np.argsort(-np.concatenate(portions, axis=1), axis=1, kind="stable")
    return [rows[places[:PAGE]] for places in order]
