"""A bounded cache that is read at the speed of a dict."""

from __future__ import annotations

from collections.abc import Callable


class Memo(dict[str, str]):
    """Computes the value of a missing key; safe to share between threads.

    Args:
        compute: the value of a key; equal keys must give equal values.
        limit: entries after which the cache starts afresh.
        max_key: length of the longest key that is kept.
    """

    def __init__(
        self, compute: Callable[[str], str], *, limit: int = 1 << 16, max_key: int = 64
    ) -> None:
        super().__init__()
        self._compute = compute
        self._limit = limit
        self._max_key = max_key

    def __missing__(self, key: str) -> str:
        value = self._compute(key)
        if len(key) <= self._max_key:
            if len(self) >= self._limit:
                self.clear()
            self[key] = value
        return value
