"""The characters of a line as they are written into the text."""

from __future__ import annotations

import re

HYPHEN = "\x02"
"""What stands for a hyphen at the end of a line."""

# Characters of TeX's T1 and OT1 fonts that have no Unicode table; pages hold no real controls.
_TEX = {
    **dict(zip(range(0x10, 0x17), "“”„«»–—", strict=True)),
    **dict(zip(range(0x1B, 0x20), "\ufb00\ufb01\ufb02\ufb03\ufb04", strict=True)),
    **dict(zip((0x0B, 0x0C, 0x0E, 0x0F), "\ufb00\ufb01\ufb03\ufb04", strict=True)),
}
_TEX_CODES = re.compile(r"[\x0b\x0c\x0e-\x16\x1b-\x1f]")

_LEADERS = re.compile(r"\.(?: ?\.){4,}")
_SHORT_LEADERS = "..."
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
# C0 and C1 controls but white space, the soft hyphen, the byte order mark and non-characters.
_CONTROLS = (*range(9), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0))
_UNSEEN = "".join(map(chr, (*_CONTROLS, 0xAD, 0xFEFF, 0xFFFE, 0xFFFF)))
_TABLE = str.maketrans({**dict.fromkeys(_UNSEEN, ""), **_LIGATURES})
_ODD = re.compile(rf"[^\S ]|  |[{_UNSEEN}\ud800-\udfff\ufb00-\ufb06]|{_LEADERS.pattern}")
_HALVES = re.compile(r"[\ud800-\udfff]")


def decoded(text: str) -> str:
    """Return a page's text with what fonts of TeX mean by control characters, one for one."""
    return text.translate(_TEX) if _TEX_CODES.search(text) else text


def clean(line: str, *, spaces: bool = False) -> str:
    """Return a line with single spaces, whole letters for ligatures, and leaders cut short.

    Args:
        line: as PDFium gives it, without white space at its ends.
        spaces: keep runs of spaces.
    """
    if line.isascii() and line.isprintable() and "  " not in line:
        if ". ." not in line and "....." not in line:
            return line
    elif not _ODD.search(line):
        return line
    ends = HYPHEN if line.endswith(HYPHEN) else ""
    if HYPHEN in line:
        line = line.removesuffix(HYPHEN).replace(HYPHEN, "-")
    line = _LEADERS.sub(_SHORT_LEADERS, line).translate(_TABLE)
    if not line.isascii():
        line = _HALVES.sub("", line)
    if spaces:
        return re.sub(r"\s", " ", line).strip() + ends
    return " ".join(line.split()) + ends


def columns(line: str, *, spaces: bool = False) -> list[int]:
    """Return, for each code point that `clean` gives, where it comes from in the line."""
    found: list[int] = []
    at, blank = 0, True
    while at < len(line):
        leaders = _LEADERS.match(line, at)
        if leaders:
            found.extend([at] * len(_SHORT_LEADERS))
            at, blank = leaders.end(), False
            continue
        if line[at].isspace():
            if (spaces and found) or not blank:
                found.append(at)
            blank = True
        elif size := len(_written(line[at])):
            found.extend([at] * size)
            blank = False
        at += 1
    while found and line[found[-1]].isspace():
        found.pop()
    return found


def _written(char: str) -> str:
    return char if char == HYPHEN else _HALVES.sub("", char.translate(_TABLE))
