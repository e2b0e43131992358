"""What the layers expect of their parts."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called while a long run works; must return quickly."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Report that `done` of `total` items of `stage` are done."""


class Notice(Protocol):
    """Called with one line for the person who waits."""

    def __call__(self, message: str) -> None:
        """Show the line."""
