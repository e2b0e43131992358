"""Quotes of a text that can be found again, as in the W3C text-quote selector."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

CONTEXT = 32
"""Code points of context on either side of a quote."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage with what stands around it.

    Attributes:
        exact: the passage.
        prefix: up to `CONTEXT` code points before it.
        suffix: up to `CONTEXT` code points after it.
    """

    exact: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Located:
    """Where a quote stands now.

    Attributes:
        verdict: `verified` at its old place, `relocated` to the span, or `drifted`.
        start: first code point; the old one when drifted.
        end: one past the last.
    """

    verdict: Literal["verified", "relocated", "drifted"]
    start: int
    end: int


def quote_at(text: str, start: int, end: int) -> Quote:
    """The quote of `text[start:end]`.

    Raises:
        ValueError: the span is empty or outside the text.
    """
    if not 0 <= start < end <= len(text):
        raise ValueError(f"the span {start}:{end} is empty or outside {len(text)} code points")
    return Quote(text[start:end], text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT])


def digest(exact: str) -> str:
    """SHA-256 of the passage in UTF-8, in hexadecimal."""
    return hashlib.sha256(exact.encode()).hexdigest()


def locate(text: str, quote: Quote, start: int) -> Located:
    """Finds a quote in a later state of its text; it never guesses between occurrences.

    At most two occurrences are looked at; overlapping ones count.

    Args:
        text: the current text.
        quote: what to find.
        start: where it stood.

    Returns:
        `verified` when it still stands at `start`; `relocated` when it stands once
        elsewhere, or when of several occurrences one alone has its prefix and its
        suffix, both not empty; otherwise `drifted` with the old span.
    """
    length = len(quote.exact)
    drifted = Located("drifted", start, start + length)
    if not quote.exact or start < 0:
        return drifted
    if text.startswith(quote.exact, start):
        return Located("verified", start, start + length)
    found = _only(text, quote)
    return drifted if found is None else Located("relocated", found, found + length)


def _only(text: str, quote: Quote) -> int | None:
    first = text.find(quote.exact)
    if first < 0 or text.find(quote.exact, first + 1) < 0:
        return first if first >= 0 else None
    if not quote.prefix or not quote.suffix:
        return None
    whole = quote.prefix + quote.exact + quote.suffix
    first = text.find(whole)
    if first < 0 or text.find(whole, first + 1) >= 0:
        return None
    return first + len(quote.prefix)
