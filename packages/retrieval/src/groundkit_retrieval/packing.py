"""Keeps a response under its character budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from groundkit_core.contracts import SearchHit

_CITATION_CHARS = 700
_T = TypeVar("_T", bound=SearchHit)


def pack(hits: Sequence[_T], budget: int) -> tuple[tuple[_T, ...], int]:
    """Return the hits that fit, best first, and how many were left out.

    Whole hits are dropped from the end: a passage that is cut would not be the source's.

    Args:
        hits: ranked hits.
        budget: characters for passages and their citations; the first hit is always kept.
    """
    used = 0
    for count, hit in enumerate(hits):
        used += len(hit.content) + _CITATION_CHARS * (1 + len(hit.duplicates))
        if count and used > budget:
            return tuple(hits[:count]), len(hits) - count
    return tuple(hits), 0
