"""Filling chunks with the blocks of one section."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from groundkit_core.chunking.blocks import Section
from groundkit_core.chunking.cutting import Span, cut, trim
from groundkit_core.chunking.settings import Limits


def pack(text: str, section: Section, limits: Limits) -> list[Span]:
    """The trimmed spans that a section is made into, each at most `limits.cap` long.

    Blocks are gathered up to `limits.target`. Of the places to stop in the second
    half of a chunk, the one that the fewest lists or scopes hold is taken.
    """
    start, end = section.blocks[0].start, section.end
    if end - start <= limits.target:
        span = trim(text, start, end, lines=section.blocks[0].lines)
        return [span] if span[0] < span[1] else []
    return [
        span
        for first, stop in _groups(section, limits)
        for span in _spans(text, section, first, stop, limits)
    ]


def _spans(text: str, section: Section, first: int, stop: int, limits: Limits) -> Iterator[Span]:
    blocks = section.blocks
    start = blocks[first].start
    end = blocks[stop].start if stop < len(blocks) else section.end
    if end - start > limits.cap:
        yield from cut(text, start, end, limits, lines=blocks[stop - 1].lines)
        return
    start, end = trim(text, start, end, lines=blocks[first].lines)
    if start < end:
        yield start, end


def _groups(section: Section, limits: Limits) -> Iterator[tuple[int, int]]:
    """Yields the first block of each chunk and the one before which it ends."""
    starts = [block.start for block in section.blocks]
    starts.append(section.end)
    first = 0
    while first < len(section.blocks):
        stop = _stop(section, starts, first, limits)
        yield first, stop
        first = stop


def _stop(section: Section, starts: list[int], first: int, limits: Limits) -> int:
    """The block before which the chunk that begins with block `first` ends."""
    begin, count = starts[first], len(section.blocks)
    rest = section.end - begin
    if rest <= limits.target:
        return count
    stop = _last_fitting(starts, first, limits.target)
    if stop > first + 1:
        # What makes less than two chunks is shared out, so that no tiny one is left.
        room = min(limits.target, rest * 5 // 8)
        stop = max(_last_fitting(starts, first, room), first + 1)
        stop = _best(section, starts, first, stop, room)
    return _with_next(section, starts, first, max(stop, first + 1), limits)


def _last_fitting(starts: list[int], first: int, room: int) -> int:
    return bisect_right(starts, starts[first] + room, first + 1) - 1


def _best(section: Section, starts: list[int], first: int, fits: int, room: int) -> int:
    half = starts[first] + room // 2
    best, least = fits, (True, 1 << 30)
    for stop in range(fits, first, -1):
        if starts[stop] < half:
            break
        rank = (section.blocks[stop - 1].leads, section.blocks[stop].depth)
        if rank < least:
            best, least = stop, rank
    return best


def _with_next(section: Section, starts: list[int], first: int, stop: int, limits: Limits) -> int:
    """Keeps a block that leads together with the next one, where the cap allows it."""
    blocks = section.blocks
    back = stop
    while back > first and blocks[back - 1].leads:
        back -= 1
    if back > first or stop == len(blocks):
        return back if back > first else stop
    together = starts[stop + 1] - starts[first]
    alone = starts[stop + 1] - starts[stop]
    return stop + 1 if together <= limits.cap or alone > limits.cap else stop
