"""Logistic regression by Newton's method, and the area under the ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
_STEPS = 60
_RIDGE = 1e-3


def fit(features: Vector, answered: Vector, weights: Vector) -> tuple[Vector, float]:
    """Return weights and bias of the most likely model, with a small ridge penalty.

    Args:
        features: shape (queries, signals).
        answered: 1 for an answered query, else 0.
        weights: how much each query counts.
    """
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(features)), (features - mean) / spread])
    penalty = np.eye(design.shape[1]) * _RIDGE * weights.sum()
    penalty[0, 0] = 0
    found = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-design @ found))
        gradient = design.T @ (weights * (p - answered)) + penalty @ found
        hessian = (design * (weights * p * (1 - p))[:, None]).T @ design + penalty
        step = np.linalg.solve(hessian, gradient)
        found -= step
        if np.abs(step).max() < 1e-10:
            break
    slopes = found[1:] / spread
    return slopes, float(found[0] - slopes @ mean)


def auroc(positive: Vector, negative: Vector) -> float:
    """Return the share of pairs in which the positive scores higher; ties count half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, "left")
    upto = np.searchsorted(ordered, positive, "right")
    return float((below + upto).mean() / 2 / len(negative))
