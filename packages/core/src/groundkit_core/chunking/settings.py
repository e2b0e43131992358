"""Chunk sizes that make sense together."""

from __future__ import annotations

from typing import NamedTuple

from groundkit_core.errors import SettingsError
from groundkit_core.model import ChunkSettings

DEFAULTS = ChunkSettings()


class Limits(NamedTuple):
    """Lengths in code points that the chunkers work with.

    Attributes:
        target: what blocks are gathered up to.
        cap: what no piece exceeds before the overlap is added.
    """

    target: int
    cap: int


def limits_of(settings: ChunkSettings) -> Limits:
    """The lengths that leave room for the overlap.

    Raises:
        SettingsError: the settings contradict each other.
    """
    target, cap, overlap = settings.target, settings.cap, settings.overlap
    if target < 1:
        raise SettingsError(f"chunk target must be at least 1, not {target}")
    if cap < target:
        raise SettingsError(f"chunk cap ({cap}) must be at least the target ({target})")
    if not 0 <= overlap < target:
        raise SettingsError(
            f"chunk overlap must be from 0 to less than the target ({target}), not {overlap}"
        )
    return Limits(min(target, cap - overlap), cap - overlap)
