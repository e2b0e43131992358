"""Random signs and indices from the raw stream of PCG64, equal with every version of numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SCALE = 1e9
"""Values become whole numbers of billionths, so that sums are exact in whatever order."""


class Stream:
    """A seeded source of random numbers.

    Args:
        seed: equal seeds give equal numbers.
    """

    def __init__(self, seed: int) -> None:
        from numpy.random import PCG64

        self._bits = PCG64(seed)

    def signs(self, rows: int, columns: int) -> NDArray[np.float64]:
        """Return a table of -1 and 1, each with probability one half."""
        import numpy as np

        words = self._bits.random_raw(rows * -(-columns // 64)).astype("<u8").reshape(rows, -1)
        bits = np.unpackbits(words.view(np.uint8), axis=1)[:, :columns]
        return bits.astype(np.float64) * 2 - 1

    def counts(self, rows: int, columns: int) -> NDArray[np.float64]:
        """Return how often each of the columns is drawn in `columns` draws with replacement."""
        import numpy as np

        words = self._bits.random_raw(rows * columns)
        # The high half of a word, scaled: its bias is below columns / 2**32.
        drawn = ((words >> np.uint64(32)) * np.uint64(columns)) >> np.uint64(32)
        places = drawn.astype(np.int64).reshape(rows, columns)
        places += np.arange(rows)[:, None] * columns
        found = np.bincount(places.ravel(), minlength=rows * columns)
        return found.reshape(rows, columns).astype(np.float64)


def batches(rows: int, columns: int, cells: int = 2**21) -> list[int]:
    """Split a number of rows so that no batch has many more than so many cells."""
    size = max(1, cells // max(1, columns))
    return [min(size, rows - first) for first in range(0, rows, size)]
