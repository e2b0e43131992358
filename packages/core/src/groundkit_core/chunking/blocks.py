"""What a chunker finds in a text before sizes matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Block(NamedTuple):
    """A stretch of text that is better not split; it ends where the next one starts.

    Attributes:
        start: its first code point, at the start of a line where possible.
        depth: how many lists, quotes or scopes hold the boundary before it.
        lines: whether it splits between lines and keeps its indentation, as code and
            tables do, rather than between sentences.
        leads: whether it belongs with the block after it, as a heading does.
    """

    start: int
    depth: int = 0
    lines: bool = False
    leads: bool = False


class Section(NamedTuple):
    """Blocks that share a heading path.

    Attributes:
        path: headings above the blocks, outermost first.
        blocks: at least one; the first one's start is the section's.
        end: one past the section's last code point.
        bare: whether it has no text of its own, so that it belongs with the next one.
    """

    path: tuple[str, ...]
    blocks: Sequence[Block]
    end: int
    bare: bool = False
