"""Sections to chunks: a bare heading joins what follows, small neighbours may share one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from groundkit_core.chunking.blocks import Section
from groundkit_core.chunking.packing import pack
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkSpan

Path = tuple[str, ...]


@dataclass(slots=True)
class _Open:
    """The last chunk so far, which the next section may still join.

    Attributes:
        floor: how much of the path must stay when small sections are joined.
        small: whether it holds only whole sections that are small.
        bare: whether it holds only headings, so that it belongs with what follows.
    """

    start: int
    end: int
    path: Path
    floor: int
    small: bool
    bare: bool


def gather(
    text: str, sections: Iterable[Section], limits: Limits, *, share: int = 0
) -> tuple[ChunkSpan, ...]:
    """The chunks of consecutive sections, in order.

    Args:
        text: what the offsets refer to, with unified newlines.
        sections: in order, without gaps.
        limits: sizes in code points.
        share: sections shorter than the target divided by this are joined with their
            like under one parent up to the target; the joined chunk has the path they
            share. 0 joins none.
    """
    small = limits.target // share if share else 0
    chunks: list[ChunkSpan] = []
    last: _Open | None = None
    for section in sections:
        pieces = pack(text, section, limits)
        if not pieces:
            continue
        start, end = pieces[0]
        is_small = end - start < small and len(pieces) == 1
        opened = _Open(start, end, section.path, len(section.path) - 1, is_small, section.bare)
        if last is not None and not _joins(last, opened, limits):
            chunks.append(ChunkSpan(last.start, last.end, last.path))
        last = opened
        if len(pieces) > 1:
            chunks.append(ChunkSpan(opened.start, end, section.path))
            chunks.extend(ChunkSpan(*piece, section.path) for piece in pieces[1:-1])
            last = _Open(*pieces[-1], section.path, 0, small=False, bare=False)
    if last is not None:
        _finish(chunks, last, limits)
    return tuple(chunks)


def _joins(last: _Open, opened: _Open, limits: Limits) -> bool:
    """Joins the chunk before to the one that a section opens, if they belong together."""
    if last.bare:
        return _joins_bare(last, opened, limits)
    small = last.small and opened.small and not opened.bare
    if not small or opened.end - last.start > limits.target:
        return False
    shared = _shared(last.path, opened.path)
    if len(shared) < last.floor:
        return False
    opened.start, opened.path, opened.floor = last.start, shared, last.floor
    return True


def _joins_bare(last: _Open, opened: _Open, limits: Limits) -> bool:
    if opened.end - last.start > (limits.target if opened.bare else limits.cap):
        return False
    opened.start = last.start
    if opened.bare:
        shared = _shared(last.path, opened.path)
        opened.path = opened.path if shared == last.path else shared
    return True


def _shared(one: Path, other: Path) -> Path:
    length = 0
    for ours, theirs in zip(one, other, strict=False):
        if ours != theirs:
            break
        length += 1
    return one[:length]


def _finish(chunks: list[ChunkSpan], last: _Open, limits: Limits) -> None:
    """A heading that nothing follows joins the chunk before it, where the cap allows it."""
    if last.bare and chunks and last.end - chunks[-1].start <= limits.cap:
        before = chunks.pop()
        chunks.append(ChunkSpan(before.start, last.end, before.heading_path))
    else:
        chunks.append(ChunkSpan(last.start, last.end, last.path))
