"""The terminal page on which a person judges a pool, a key for each verdict."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from groundkit_eval.judgments.pooling import Pooled
    from groundkit_eval.judgments.verdicts import Verdicts

KEYS = "0 no · 1 partly · 2 well · 3 fully · s skip · u undo · m more · q quit"
_CLEAR = "\x1b[2J\x1b[H"
_FRAME_LINES = 8
_ESCAPE, _END = b"\x1b", b"\x04"
_ESCAPE_SECONDS = 0.02
Key = Callable[[], str]


@contextlib.contextmanager
def keys() -> Iterator[Key]:
    """Give what returns the next key, in lower case: of a terminal at once, else of the input.

    A terminal keeps the mode for as long as the block lasts, so that no key that was typed ahead
    is lost. The end of the input is the key `q`.
    """
    if not sys.stdin.isatty():
        yield _piped_key
        return
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield lambda: click.getchar().lower()
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        yield lambda: _typed_key(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _piped_key() -> str:
    while key := sys.stdin.read(1):
        if not key.isspace():
            return key.lower()
    return "q"


def _typed_key(descriptor: int) -> str:
    key = os.read(descriptor, 1)
    if key == _ESCAPE and select.select([descriptor], [], [], _ESCAPE_SECONDS)[0]:
        os.read(descriptor, 16)  # the rest of an arrow or a function key, which may hold digits
    return key.decode("ascii", errors="replace").lower() if key not in (b"", _END) else "q"


def shown(text: str) -> str:
    """Return a text of a document with everything escaped that could steer a terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text.replace("\r\n", "\n")
    )


class JudgingPage:
    """Shows what is not judged yet, one by one, and records verdicts.

    Args:
        pool: what is judged, in its order.
        verdicts: keeps each verdict as it is given.
        key: gives the next key.
    """

    def __init__(self, pool: Sequence[Pooled], verdicts: Verdicts, key: Key) -> None:
        self._pool = pool
        self._verdicts = verdicts
        self._key = key
        self._given: list[int] = []

    def run(self) -> int:
        """Judge until the pool is through or the person leaves; return what is left to judge."""
        open_ = [n for n, one in enumerate(self._pool) if self._verdicts.grade(one) is None]
        place, whole = 0, False
        while place < len(open_):
            self._show(self._pool[open_[place]], whole=whole)
            key = self._key()
            whole = key == "m"
            if key == "q":
                break
            if key in "0123" and len(key) == 1:
                self._verdicts.give(self._pool[open_[place]], int(key))
                self._given.append(place)
                place += 1
            elif key == "s":
                place += 1
            elif key == "u" and self._given:
                place = self._given.pop()
                self._verdicts.give(self._pool[open_[place]], None)
        return sum(self._verdicts.grade(one) is None for one in self._pool)

    def _show(self, one: Pooled, *, whole: bool) -> None:
        judged = sum(self._verdicts.grade(other) is not None for other in self._pool)
        clear = _CLEAR if sys.stdout.isatty() else ""
        span = f" {one.place.start}-{one.place.end}" if one.place.spans else ""
        click.echo(
            f"{clear}{shown(one.query_id)}: {shown(one.query)}\n"
            f"{shown(one.place.source)}{span}   [{judged} of {len(self._pool)} judged]\n\n"
            f"{_fitted(shown(one.place.text), whole=whole)}\n\n{KEYS}"
        )


def _fitted(text: str, *, whole: bool) -> str:
    """Return as much of a text as the window shows; all of it when asked for."""
    if not text:
        return "(no text; name the documents with --corpus or --beir)"
    size = shutil.get_terminal_size()
    room = max(4, size.lines - _FRAME_LINES)
    lines = [
        line[start : start + size.columns]
        for line in text.expandtabs(4).split("\n")
        for start in range(0, max(1, len(line)), size.columns)
    ]
    if whole or len(lines) <= room:
        return "\n".join(lines)
    return "\n".join([*lines[: room - 1], f"… {len(lines) - room + 1} more lines"])
