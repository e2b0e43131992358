"""Keeps requests to a host apart."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """Waits between requests.

    Args:
        delay: seconds from the end of one request to the beginning of the next, at least.
        sleep: waits.
    """

    def __init__(self, delay: float, sleep: Callable[[float], None]) -> None:
        self._delay = delay
        self._sleep = sleep
        self._last: float | None = None

    def wait(self, wanted: float = 0.0) -> None:
        """Wait until the next request may be sent.

        Args:
            wanted: seconds that the site wants; the longer of both counts.
        """
        if self._last is not None:
            left = self._last + max(self._delay, wanted) - time.monotonic()
            if left > 0:
                self._sleep(left)

    def done(self) -> None:
        """Note that a request has ended."""
        self._last = time.monotonic()
