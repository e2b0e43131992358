"""Plain text to chunks along its paragraphs."""

from __future__ import annotations

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.paragraphs import paragraph_starts
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText


def chunk_plain(text: str, limits: Limits) -> ChunkedText:
    """Chunks plain text between paragraphs, then sentences, then words.

    Args:
        text: with unified newlines.
        limits: sizes in code points.
    """
    blocks = [Block(start) for start in paragraph_starts(text, 0, len(text))]
    return ChunkedText("", gather(text, [Section((), blocks, len(text))], limits))
