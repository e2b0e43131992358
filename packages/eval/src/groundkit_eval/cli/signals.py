"""Lets a polite kill end a run as Ctrl-C does, so that temporary files are removed."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP while the block runs in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Resumable(click.Abort):
    """An interrupt of a run whose answers were kept; its text says how to go on."""


@contextlib.contextmanager
def resumable(folder: Path | None) -> Iterator[None]:
    """Say on an interrupt where the answers were kept."""
    try:
        yield
    except KeyboardInterrupt:
        if folder is None:
            raise
        raise Resumable(
            f"interrupted; the same command with --resume {folder.name} goes on from here"
        ) from None
