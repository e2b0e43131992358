"""Keeps time, and turns what libraries raise into refusals."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from groundkit_core.errors import DocumentRefusedError


class Clock:
    """Counts the seconds that an archive may take."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def check(self) -> None:
        """Raise DocumentRefusedError when time is up."""
        if time.monotonic() > self._deadline:
            raise DocumentRefusedError("over_limit", "it takes too long to unpack")


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse as `broken` what a library cannot read, whatever it raises."""
    try:
        yield
    except DocumentRefusedError:
        raise
    except Exception:  # noqa: BLE001
        raise DocumentRefusedError("broken", "the archive is truncated or damaged") from None
