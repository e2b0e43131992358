"""The paired randomisation test: could the signs of the differences be chance?

Fisher 1935; for retrieval Smucker, Allan and Carterette 2007. Under the null hypothesis the two
systems are exchangeable on every query, so each difference may as well have the other sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundkit_eval.comparison.randomness import SCALE, Stream, batches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

PERMUTATIONS = 10_000
EXACT = 20


def p_values(differences: ArrayLike, seed: int = 0) -> list[float]:
    """Return the two-sided p-value of the mean of every column being 0.

    All sign patterns are counted where at most `EXACT` differences are not 0; else as many as
    `PERMUTATIONS` are drawn and p is (1 + as extreme) / (1 + drawn) (Phipson and Smyth 2010).

    Args:
        differences: queries x comparisons, between -1 and 1; a single column may be flat.
        seed: of the patterns that are drawn.
    """
    import numpy as np

    table = np.asarray(differences, dtype=np.float64)
    whole = np.rint(SCALE * table.reshape(len(table), -1))
    differing = np.count_nonzero(whole, axis=0)
    drawn = np.flatnonzero(differing > EXACT)
    found = np.zeros(whole.shape[1])
    found[drawn] = _drawn(whole[:, drawn], seed)
    for column in np.flatnonzero(differing <= EXACT):
        found[column] = _exact(whole[:, column])
    return [float(p) for p in found]


def _exact(whole: NDArray[np.float64]) -> float:
    """Count the patterns in which the first difference keeps its sign; the rest mirror them."""
    import numpy as np

    values = whole[whole != 0]
    if not len(values):
        return 1.0
    sums = values[:1]
    for value in values[1:]:
        sums = np.concatenate((sums + value, sums - value))
    return float(np.mean(np.abs(sums) >= abs(values.sum())))


def _drawn(whole: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    import numpy as np

    observed = np.abs(whole.sum(axis=0))
    stream, extreme = Stream(seed), np.zeros(whole.shape[1])
    if whole.shape[1]:
        for rows in batches(PERMUTATIONS, max(whole.shape)):
            sums = np.abs(stream.signs(rows, len(whole)) @ whole)
            extreme += np.count_nonzero(sums >= observed, axis=0)
    return (1 + extreme) / (1 + PERMUTATIONS)
