"""One form for what readers take to be the same: width, case, diacritics, invisible characters."""

from __future__ import annotations

import re
import unicodedata

from groundkit_core.analysis.scripts import MARKS

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
_MAX_MARKS = 30
_MARK_FLOOD = re.compile(f"([{MARKS}]{{{_MAX_MARKS}}})[{MARKS}]+")
_TYPOGRAPHY = {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u02bb": "'", "\u2010": "-"}

_LATIN_OR_GREEK = (
    "0-9A-Za-z\u00c0-\u02af\u0370-\u03ff\u1d00-\u1dbf\u1e00-\u1fff\u2c60-\u2c7f\ua720-\ua7ff"
    "\uab30-\uab6f"
)
_ACCENTS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_DIACRITICS = re.compile(f"(?<=[{_LATIN_OR_GREEK}])[{_ACCENTS}]+")
_STRESS = re.compile("(?<=[\u0400-\u052f])[\u0300\u0301]+")
_FOREIGN_DIGIT = re.compile("[^\\D0-9]")
_LETTERS = str.maketrans(
    {
        "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H",
        "ŧ": "t", "Ŧ": "T", "ı": "i", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th",
        "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ß": "ss", "ẞ": "SS",
    }
)  # fmt: skip


def _cap_marks(chunk: str) -> str:
    # Sorting the marks of one character takes quadratic time in unicodedata.
    return chunk if len(chunk) <= _MAX_MARKS else _MARK_FLOOD.sub(r"\1", chunk)


def normalize(chunk: str) -> str:
    """NFKC without invisible characters, and with plain apostrophes and hyphens; keeps case."""
    if chunk.isascii():
        return chunk
    chunk = _cap_marks(unicodedata.normalize("NFKC", _cap_marks(_IGNORABLE.sub("", chunk))))
    for typographic, plain in _TYPOGRAPHY.items():
        chunk = chunk.replace(typographic, plain)
    return chunk


def lower(word: str) -> str:
    """Case-folded, composed, diacritics kept."""
    return word.lower() if word.isascii() else unicodedata.normalize("NFC", word.casefold())


def fold(word: str) -> str:
    """Case-folded, without the diacritics of Latin and Greek letters, digits as 0-9."""
    if word.isascii():
        return word.lower()
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFD", word))
    bare = bare.replace("е\u0308", "е").replace("Е\u0308", "Е")
    bare = _STRESS.sub("", unicodedata.normalize("NFC", bare)).translate(_LETTERS)
    bare = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), bare)
    return unicodedata.normalize("NFC", bare.casefold())


def _begins_cluster(char: str) -> bool:
    if _IGNORABLE.match(char):
        return False
    first = unicodedata.normalize("NFKD", char)[0]
    is_medial_jamo = "\u1161" <= first <= "\u11c2"
    return not is_medial_jamo and unicodedata.category(first)[0] != "M"


def _clusters(chunk: str) -> list[tuple[int, int]]:
    starts = [i for i, char in enumerate(chunk) if i == 0 or _begins_cluster(char)]
    return list(zip(starts, [*starts[1:], len(chunk)], strict=True))


def normalize_aligned(chunk: str) -> tuple[str, list[tuple[int, int]]]:
    """`normalize(chunk)`, and for each of its characters the span of `chunk` it stems from."""
    normalized = normalize(chunk)
    if normalized == chunk:
        return normalized, [(i, i + 1) for i in range(len(chunk))]
    spans: list[tuple[int, int]] = []
    pieces: list[str] = []
    for start, end in _clusters(chunk):
        pieces.append(normalize(chunk[start:end]))
        spans += [(start, end)] * len(pieces[-1])
    if "".join(pieces) != normalized:  # a later Unicode composes across our clusters
        spans = [(0, len(chunk))] * len(normalized)
    return normalized, spans
