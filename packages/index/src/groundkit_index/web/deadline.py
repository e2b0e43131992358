"""How long something may still take."""

from __future__ import annotations

import time


class Deadline:
    """A moment after which nothing is waited for.

    Args:
        seconds: how far it is away.
    """

    def __init__(self, seconds: float) -> None:
        self._moment = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left; negative when it has passed."""
        return self._moment - time.monotonic()

    def postpone(self, seconds: float) -> None:
        """Move it by what was waited on purpose."""
        self._moment += seconds
