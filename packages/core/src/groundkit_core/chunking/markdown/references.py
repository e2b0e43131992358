"""Link reference definitions, which are no text of the paragraph that starts with them."""

from __future__ import annotations

from groundkit_core.chunking.markdown.patterns import REFERENCE


def without_references(paragraph: str) -> str:
    """What is left of a paragraph behind the definitions it starts with."""
    at = 0
    while found := REFERENCE.match(paragraph, at):
        at = found.end()
    return paragraph[at:]
