"""Offsets to line numbers."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, count
from operator import add

from groundkit_core.text.newlines import unify_newlines


class LineIndex:
    r"""The lines of a text, counted from 1 as editors do.

    A line ends with `\n`, `\r\n` or `\r`; what follows the last line end is a
    line too, even when it is empty.

    Args:
        text: the decoded text that offsets refer to.
    """

    __slots__ = ("_length", "_starts")

    def __init__(self, text: str) -> None:
        widths = list(map(len, unify_newlines(text).split("\n")))
        widths.pop()
        self._length = len(text)
        self._starts: list[int] = [0, *map(add, accumulate(widths), count(1))]

    @property
    def count(self) -> int:
        """How many lines there are; an empty text has one."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The line that holds the code point at `offset`; the end of the text is in the last.

        Raises:
            ValueError: `offset` is outside the text.
        """
        if not 0 <= offset <= self._length:
            raise ValueError(f"offset {offset} is outside a text of {self._length} code points")
        return bisect_right(self._starts, offset)

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """The lines of the first and of the last code point of a span that is not empty.

        Raises:
            ValueError: the span is empty or outside the text.
        """
        if start >= end:
            raise ValueError(f"the span {start}:{end} is empty")
        return self.line_of(start), self.line_of(end - 1)

    def start_of(self, line: int) -> int:
        """The offset of the first code point of `line`.

        Raises:
            ValueError: there is no such line.
        """
        if not 1 <= line <= len(self._starts):
            raise ValueError(f"line {line} is outside 1 to {len(self._starts)}")
        return self._starts[line - 1]
