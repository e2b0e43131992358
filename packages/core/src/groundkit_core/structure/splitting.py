"""Extracted text to chunks along its headings and pieces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.overlap import overlapped
from groundkit_core.chunking.settings import DEFAULTS, limits_of
from groundkit_core.model import ChunkedText, ChunkSettings, ChunkSpan
from groundkit_core.structure.model import Extraction, Piece


def chunk_structured(extraction: Extraction, settings: ChunkSettings = DEFAULTS) -> ChunkedText:
    """Split an extracted text as `chunk` splits a source.

    A table that does not fit into one chunk is split between rows, and the later parts have its
    header as the last entry of their heading path.

    Args:
        extraction: the text and its structure.
        settings: sizes in code points.

    Raises:
        SettingsError: the settings contradict each other.
    """
    text, pieces = extraction.text, extraction.pieces
    spans = gather(text, _sections(pieces, len(text)), limits_of(settings))
    spans = tuple(_under_header(span, pieces) for span in spans)
    if settings.overlap:
        spans = overlapped(text, spans, settings.overlap)
    return ChunkedText(extraction.title or _first_heading(pieces), spans)


def _sections(pieces: Sequence[Piece], end: int) -> Iterator[Section]:
    path: list[tuple[int, str]] = []
    blocks: list[Block] = []
    bare = alone = False
    for piece in pieces:
        if blocks and (piece.level or piece.breaks):
            yield Section(_names(path), blocks, piece.start, bare and not piece.breaks)
            blocks = []
        if piece.closes:
            path = []
        if piece.level:
            while path and path[-1][0] >= piece.level:
                path.pop()
            path.append((piece.level, piece.name))
        alone = piece.breaks or (alone and bare)
        bare = bool(piece.level)
        blocks.append(Block(piece.start, piece.depth, piece.lines, piece.leads))
    if blocks:
        yield Section(_names(path), blocks, end, bare and not alone)


def _names(path: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(name for _, name in path if name)


def _under_header(span: ChunkSpan, pieces: Sequence[Piece]) -> ChunkSpan:
    number = bisect_right(pieces, span.start, key=lambda piece: piece.start) - 1
    piece = pieces[number]
    if not piece.header or span.start == piece.start:
        return span
    return ChunkSpan(span.start, span.end, (*span.heading_path, piece.header), span.page)


def _first_heading(pieces: Sequence[Piece]) -> str:
    return next((piece.name for piece in pieces if piece.level == 1), "")
