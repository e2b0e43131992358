"""Plain text to chunks along its paragraphs."""

from __future__ import annotations

import re

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

_PARAGRAPH = re.compile(r"\S.*?(?=\n[ \t]*\n|\Z)", re.DOTALL)


def chunk_config(text: str, language: str, limits: Limits) -> ChunkedText:
    """Chunks a text without structure.

    Args:
        text: with unified newlines.
        limits: sizes in code points.
    """
    blocks = [Block(match.start()) for match in _PARAGRAPH.finditer(text)]
    if not blocks:
        return ChunkedText("", ())
    return ChunkedText("", gather(text, [Section((), blocks, len(text))], limits, 0))
