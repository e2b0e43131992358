"""What an apostrophe means: possessive, contraction, elision, or part of a name."""

from __future__ import annotations

import re
from collections.abc import Callable

_SUFFIXES = {"english": "s|ll|re|ve|d|m", "porter": "s|ll|re|ve|d|m"}
_ELISIONS = {
    "catalan": "d|l|m|n|s|t",
    "french": "c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|presqu|puisqu|quoiqu",
    "italian": "agl|all|bell|c|com|cos|d|dagl|dall|degl|dell|dov|gl|l|m|n|negl|nell|quell|"
    "quest|s|sant|senz|sugl|sull|t|tutt|un|v",
}
_INSIDE = re.compile(r"(?<=[^\W_][^\W_])'")


def apostrophe_resolver(language: str) -> Callable[[str], str]:
    """A function that takes the apostrophes out of a word.

    Possessives and contractions lose what follows (`John's`, `we'll`), elided particles
    are dropped where the language has them (`l'avion`), other letters close up (`dont`).
    An apostrophe stays only behind a single letter, which may be a particle or a
    prefix (`O'Brien`, `f'text'`).
    """
    suffix = re.compile(rf"'(?:{_SUFFIXES.get(language, 's')})(?![^\W_])", re.IGNORECASE)
    particles = _ELISIONS.get(language)
    elision = re.compile(rf"(?<![^\W_])(?:{particles})'", re.IGNORECASE) if particles else None

    def resolve(word: str) -> str:
        word = suffix.sub("", word)
        if elision:
            word = elision.sub("", word)
        return _INSIDE.sub("", word)

    return resolve
