"""What one call may take, and how many run at once."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from groundkit_mcp.errors import DeadlineError


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work the service takes on.

    Attributes:
        threads: calls that run at once.
        share: calls of one principal that run at once; the rest of the threads is for others.
        waiting: calls of one principal that may wait for a thread; one more is refused.
        deadline: seconds that a call may take, waiting included; None is without end.
    """

    threads: int = 8
    share: int = 6
    waiting: int = 32
    deadline: float | None = 10.0


STDIO_LIMITS = Limits(share=8, waiting=1_000, deadline=None)
"""One client, which owns the process and can cancel."""


class Deadline:
    """The instant at which a call ends.

    Args:
        seconds: from now; None is never.
    """

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    @property
    def remaining(self) -> float:
        """Seconds left, at least 0; infinite without a deadline."""
        return max(0.0, self._end - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether the call should have ended."""
        return time.monotonic() >= self._end

    def check(self) -> None:
        """Return when there is time left.

        Raises:
            DeadlineError: there is none.
        """
        if self.passed:
            raise DeadlineError("the call took longer than it may; ask for less, or try again")
