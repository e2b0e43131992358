"""Turns Ctrl-C into a request to finish what is under way."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from threading import Event
from types import FrameType


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[Event]:
    """Yield an event that the first Ctrl-C sets; a second one interrupts at once."""
    stop = Event()

    def handle(_signal: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
