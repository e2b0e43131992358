"""Letting chunks reach back into the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundkit_core.model import ChunkSpan

_WORD_START = re.compile(r"(?<=\s)\S")


def overlapped(text: str, chunks: Sequence[ChunkSpan], overlap: int) -> tuple[ChunkSpan, ...]:
    """Extends each chunk back by whole words, at most `overlap`, within its section."""
    return tuple(
        _extended(text, before, chunk, overlap)
        for before, chunk in zip([None, *chunks], chunks, strict=False)
    )


def _extended(text: str, before: ChunkSpan | None, chunk: ChunkSpan, overlap: int) -> ChunkSpan:
    if before is None or before.heading_path != chunk.heading_path:
        return chunk
    floor = max(before.start + 1, chunk.start - overlap)
    word = _WORD_START.search(text, floor, before.end)
    return chunk if word is None else replace(chunk, start=word.start())
