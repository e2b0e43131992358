"""Where words begin and end in a normalised chunk."""

from __future__ import annotations

import re
from functools import cache

from groundkit_core.analysis.scripts import MARKS, UNSPACED

MAX_WORD = 200
"""Code points from which on a word is taken for data."""

_MIN_BLOB = 40
_BLOB = (  # base64: capitals and digits are never far apart
    rf"(?=[A-Za-z0-9+/]{{{_MIN_BLOB}}})(?:[a-z+/]{{0,15}}[A-Z0-9]){{20,}}[a-z+/]{{0,15}}"
)
_DOT_PREFIX = r"(?:\.(?<![\w.]\.)(?=[A-Za-z]))?"  # .NET, .env
_PLUSES = r"(?<=[^\W\d_])\+\+(?![^\W\d])"  # C++, C++17
_SHARP = r"\#(?![^\W\d])"  # C#, F#
_SLASH = r"[/&][A-Za-z](?![\w/&])"  # I/O, R&D
_LONE_LETTER = r"(?<=(?<![\w./&])(?<!\w['-])(?<!::)[A-Za-z])"
_SUFFIX = rf"(?:(?=[+\#/&])(?:{_PLUSES}|{_LONE_LETTER}(?:{_SHARP}|{_SLASH})))?"


def _compound(run: str) -> str:
    return rf"{_DOT_PREFIX}{run}(?:(?:[._'-]|::){run})*{_SUFFIX}"


_ASCII_WORD = re.compile(rf"({_BLOB}|{_compound('[A-Za-z0-9]+')})()")
_WHOLE_BLOB = re.compile(_BLOB)


@cache
def _any_word() -> re.Pattern[str]:
    char = rf"[^\W_{UNSPACED}]"
    word = _compound(f"{char}+(?:[{MARKS}]+{char}*)*")
    return re.compile(rf"({_BLOB}|{word})|([{UNSPACED}][{UNSPACED}{MARKS}]*)")


def word_pattern(chunk: str) -> re.Pattern[str]:
    """What matches a word (group 1) or a run of an unspaced script (group 2) in `chunk`."""
    return _ASCII_WORD if chunk.isascii() else _any_word()


def is_data(word: str) -> bool:
    """Whether a word is a blob such as base64, which nobody searches by its parts."""
    if len(word) < _MIN_BLOB:
        return False
    return len(word) >= MAX_WORD or _WHOLE_BLOB.fullmatch(word) is not None
