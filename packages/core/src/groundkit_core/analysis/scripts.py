"""Which characters belong to which kind of writing, as bodies of regex classes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain

UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0ece\u0edc-\u0edf"  # Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d"  # Myanmar
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f"
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"  # Hangul
    "\u3005-\u3007\u3021-\u3029\u3038-\u303c"  # iteration marks, ideographic numbers
    "\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\U0001aff0-\U0001b16f"  # Kana extensions
)
"""Letters and marks of the scripts written without spaces between words, and of Hangul."""

# Blocks in which marks stand among letters; listing each mark would make every search slow.
_SUPPLEMENTARY_MARKS = (
    "\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a3f\U00010ae5\U00010ae6"
    "\U00010d24-\U00010d6d\U00010eab-\U00010eff\U00010f46-\U00010f85\U00011000-\U00011fff"
    "\U00013430-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016b36\U00016f4f-\U00016ff1"
    "\U0001bc9d\U0001bc9e\U0001cf00-\U0001cf46\U0001d165-\U0001d244\U0001da00-\U0001daaf"
    "\U0001e000-\U0001e08f\U0001e130-\U0001e2ef\U0001e4ec-\U0001e5ef\U0001e8d0-\U0001e94a"
    "\U000e0100-\U000e01ef"
)


def char_ranges(codes: Iterable[int], holds: Callable[[str], bool]) -> str:
    """The class of those of the ascending `codes` for which `holds` is true."""
    ranges: list[list[int]] = []
    for code in codes:
        if holds(chr(code)):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


MARKS = _SUPPLEMENTARY_MARKS + char_ranges(
    chain(
        range(0x300, 0x2100), range(0x2CE0, 0x3100), range(0xA600, 0xAC00), range(0xFB00, 0xFE30)
    ),
    lambda char: unicodedata.category(char)[0] == "M",
)
"""Combining marks: accents, vowel signs, tone marks."""

UPPER = char_ranges(
    chain(range(0x41, 0x588), range(0x10A0, 0x10D0), range(0x1E00, 0x2000)), str.isupper
)
"""Capital letters, which may begin a part of an identifier."""
