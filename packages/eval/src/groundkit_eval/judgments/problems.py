"""Gathers what is wrong with a judgments file, so that all of it is said at once."""

from __future__ import annotations

from groundkit_eval.errors import JudgmentsError

MAX_SHOWN = 500


def one_line(text: str) -> str:
    """Return the text with everything that cannot be printed escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class Problems:
    """Problems of one file by line.

    Args:
        name: the file's name, without its folder.
    """

    def __init__(self, name: str) -> None:
        self._name = one_line(name)
        self._found: list[tuple[int, str]] = []

    def add(self, line: int, message: str) -> None:
        """Note a problem at a line, counted from 1."""
        self._found.append((line, one_line(message)))

    def raise_if_any(self) -> None:
        """Raise a JudgmentsError that lists the problems in the order of their lines."""
        found = sorted(self._found, key=lambda problem: problem[0])
        lines = [f"{self._name}:{line}: {message}" for line, message in found[:MAX_SHOWN]]
        if len(found) > MAX_SHOWN:
            lines.append(f"{self._name}: and {len(found) - MAX_SHOWN} more problems")
        if lines:
            raise JudgmentsError(lines)
