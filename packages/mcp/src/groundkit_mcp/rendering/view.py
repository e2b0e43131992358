"""How one kind of result becomes text, and how it becomes smaller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from groundkit_core.contracts import Contract


@dataclass(frozen=True, slots=True)
class View:
    """The text form of one output model.

    Attributes:
        text: the text of a result; its second argument marks the fences around document text.
        smaller: the result with a little left out, or None when nothing can be.
    """

    text: Callable[[Any, str], str]
    smaller: Callable[[Any], Contract | None]


def shortened(items: int) -> int:
    """Return how many of so many items to keep in one step of making a list smaller."""
    return items - max(1, items // 10)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
