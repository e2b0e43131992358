"""Ends the process when it is told to, and when its client is gone without a word."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

_PARENT = os.getppid()
_POLL_SECONDS = 1.0
_HANGUPS = 2


def end_on_signals(cleanup: Callable[[], None]) -> None:
    """Make SIGTERM end the process with code 0 and SIGINT with 130.

    Args:
        cleanup: called before the end; must return at once.
    """

    def on_signal(number: int, _frame: FrameType | None) -> None:
        cleanup()
        exit_now(130 if number == signal.SIGINT else 0)

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)


def end_with_client(cleanup: Callable[[], None]) -> None:
    """Make the process end soon after its parent did, or after its input was closed.

    Args:
        cleanup: called before the end, on a thread; must return at once.
    """
    watch = (os.dup(0), cleanup)
    threading.Thread(target=_watch, args=watch, name="client watch", daemon=True).start()


def exit_now(code: int) -> NoReturn:
    """End the process without waiting for threads and without writing anything more."""
    os._exit(code)


def _watch(stdin: int, cleanup: Callable[[], None]) -> None:
    hangups = 0
    # The end of input ends the server by itself; this counts for when it cannot, because the
    # client no longer reads what the server writes.
    while os.getppid() == _PARENT and hangups < _HANGUPS:
        time.sleep(_POLL_SECONDS)
        hangups += _hung_up(stdin)
    cleanup()
    exit_now(0)


def _hung_up(descriptor: int) -> bool:
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))
