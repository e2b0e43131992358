"""What is answered when only so many unanswerable queries may be."""

from __future__ import annotations

from collections.abc import Sequence


def answered_share(
    answerable: Sequence[float], unanswerable: Sequence[float], rate: float
) -> float:
    """Return the largest share of answerable queries above a threshold that keeps a rate.

    The point of the ROC curve with the highest true positive rate whose false positive rate is at
    most `rate` (Fawcett 2006); a query is answered from the threshold on.

    Args:
        answerable: probabilities of the answerable queries, at least one.
        unanswerable: those of the unanswerable queries, at least one.
        rate: share of the unanswerable queries that may be answered, 0 to 1.
    """
    allowed = int(rate * len(unanswerable) + 1e-9)
    falling = sorted(unanswerable, reverse=True)
    # Everything above the first unanswerable query that may not be answered is answered.
    first = falling[allowed] if allowed < len(falling) else float("-inf")
    return sum(value > first for value in answerable) / len(answerable)
