"""Whether a retrieved chunk holds a gold passage, by what the target tells of the chunk."""

from __future__ import annotations

from typing import Literal

from groundkit_eval.judgments.model import Place

Rule = Literal["span", "text", "source"]
RULES: tuple[Rule, ...] = ("span", "text", "source")


def rule_of(chunk: Place) -> Rule:
    """Return what decides for a chunk: its span, else its text, else its source alone."""
    if chunk.spans:
        return "span"
    return "text" if chunk.text.strip() else "source"


def covers(chunk: Place, gold: Place) -> bool:
    """Tell whether a chunk holds at least half of a gold passage of the same source.

    Half is counted in code points of the span; for a chunk without one in those of the quote,
    white space normalised and in one piece. A chunk that tells its source only, and gold that is
    a whole document, need nothing more than the same source.
    """
    if chunk.source != gold.source:
        return False
    rule = rule_of(chunk)
    if rule == "source" or not gold.spans:
        return True
    if rule == "span":
        overlap = min(chunk.end, gold.end) - max(chunk.start, gold.start)
        return 2 * overlap >= gold.end - gold.start
    return holds_half(chunk.text, gold.text)


def holds_half(text: str, quote: str) -> bool:
    """Tell whether a text holds a piece of at least half of a quote, white space normalised."""
    within, sought = " ".join(text.split()), " ".join(quote.split())
    half = (len(sought) + 1) // 2
    return bool(half) and any(
        sought[start : start + half] in within for start in range(len(sought) - half + 1)
    )
