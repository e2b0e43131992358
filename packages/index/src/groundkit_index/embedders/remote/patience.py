"""How often and how long to try again."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_FIRST_WAIT = 0.25
_SECONDS = re.compile(r"\d{1,9}")
_random = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try again.

    Attributes:
        attempts: requests in all.
        longest_wait: seconds between two of them, at the most.
        longest_request: seconds that one may take, whatever the settings allow.
    """

    attempts: int
    longest_wait: float
    longest_request: float = math.inf

    def wait(self, attempt: int, retry_after: str | None) -> float | None:
        """Return the seconds to wait after a failed attempt, or None to give up.

        Doubles from a quarter of a second, with jitter; a `Retry-After` that asks for more
        is obeyed, and one beyond `longest_wait` ends the attempts.

        Args:
            attempt: 0 for the first.
            retry_after: the header, as seconds or as a date.
        """
        if attempt + 1 >= self.attempts:
            return None
        asked = _asked(retry_after)
        if asked > self.longest_wait:
            return None
        backoff: float = _FIRST_WAIT * 2**attempt * _random.uniform(0.5, 1.0)
        return max(asked, min(backoff, self.longest_wait))


FOR_DOCUMENTS = Patience(attempts=4, longest_wait=30.0)
# Who asks a question waits; a model that is loaded first may take some seconds.
FOR_QUERIES = Patience(attempts=2, longest_wait=1.0, longest_request=10.0)


def _asked(retry_after: str | None) -> float:
    value = (retry_after or "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    if moment.tzinfo is None:
        return 0.0
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
