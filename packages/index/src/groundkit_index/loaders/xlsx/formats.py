"""What number formats make of values (ECMA-376 part 1, 18.8.30 and 18.8.31)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm",
    37: "0",
    38: "0",
    39: "0.00",
    40: "0.00",
    41: "0",
    42: "0",
    43: "0.00",
    44: "0.00",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
}
"""Format codes by the ids that have one without saying so."""

Kind = Literal["general", "number", "date", "time", "datetime", "duration", "nothing"]

_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_CURRENCY = re.compile(r"\[\$([^\]-]*)[^\]]*\]")
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_BRACKETS = re.compile(r"\[[^\]]*\]")
_DIGITS = re.compile(r"([#0?][#0?,]*)?(?:\.([#0?]+))?")
_MOST_DECIMALS = 30
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  dates in sheets have no zone
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001
_LAST_DAY = 2_958_466
_FEBRUARY_1900 = 60


@dataclass(frozen=True, slots=True)
class Format:
    """How numbers are shown.

    Attributes:
        decimals: how many at most; None for as many as it takes.
        padded: whether there are always that many.
        before: what stands before the number, such as `$`.
        after: what stands after it, such as ` kg`.
    """

    kind: Kind = "general"
    decimals: int | None = None
    padded: bool = True
    percent: bool = False
    before: str = ""
    after: str = ""


GENERAL = Format()


@lru_cache(maxsize=1024)
def format_of(code: str) -> Format:
    """Return what a format code means; `GENERAL` for one that is not understood."""
    sections = code.split(";")
    first = sections[0]
    if len(sections) > 2 and not any(section.strip() for section in sections):
        return Format("nothing")
    bare = _BRACKETS.sub("", _LITERAL.sub("", first)).lower()
    elapsed = _ELAPSED.search(_LITERAL.sub("", first)) is not None
    if elapsed:
        return Format("duration")
    if "general" in bare or "e+" in bare or "e-" in bare:
        return GENERAL
    if any(letter in bare for letter in "ymdhs"):
        return Format(_moment(bare))
    return _number_format(first)


def shown(value: float, form: Format, *, from_1904: bool = False) -> str:
    """Return a number as a person reads it; dates and times in ISO 8601."""
    if form.kind == "nothing":
        return ""
    if form.kind == "general":
        return general(value)
    if form.kind == "number":
        return _number(value, form)
    if form.kind == "duration":
        return _duration(value)
    return _dated(value, form.kind, from_1904=from_1904)


def general(value: float) -> str:
    """Return a number without the noise of its last binary digits."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.11g}"
    if "e" not in short:
        return short
    long = f"{value:.15f}".rstrip("0").rstrip(".")
    return long if 1e-9 < abs(value) < 1 and len(long) < 18 else short.replace("e", "E")


def _number(value: float, form: Format) -> str:
    scaled = value * 100 if form.percent else value
    text = general(scaled) if form.decimals is None else f"{scaled:.{form.decimals}f}"
    if not form.padded and "." in text:
        text = text.rstrip("0").rstrip(".")
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    if not any(digit in "123456789" for digit in digits):
        sign = ""
    return f"{sign}{form.before}{digits}{'%' if form.percent else ''}{form.after}"


def _moment(bare: str) -> Kind:
    clock = "h" in bare or "s" in bare
    if not clock:
        return "date"
    return "datetime" if "y" in bare or "d" in bare else "time"


def _number_format(section: str) -> Format:
    """Read what stands before and after the digits, and how many decimals there are."""
    plain = _CURRENCY.sub(lambda match: f'"{match[1]}"' if match[1] else "", section)
    plain = _BRACKETS.sub("", plain)
    outside: list[str] = [""]
    digits = ""
    place = 0
    while place < len(plain):
        literal = _LITERAL.match(plain, place)
        number = _DIGITS.match(plain, place)
        if literal is not None:
            outside[-1] += literal[1] or literal[2] or ""
            place = literal.end()
        elif number is not None and number.end() > place:
            if digits:
                return GENERAL  # digits in groups, as in telephone numbers
            digits = number[0]
            outside.append("")
            place = number.end()
        else:
            outside[-1] += plain[place]
            place += 1
    if not digits or digits.endswith(",") or "/" in "".join(outside):
        return GENERAL
    decimals = digits.partition(".")[2]
    percent = any("%" in part for part in outside)
    before, after = (part.replace("%", "") for part in outside)
    if "@" in before + after:
        return GENERAL
    return Format(
        "number",
        min(len(decimals), _MOST_DECIMALS),
        padded="#" not in decimals,
        percent=percent,
        before=before.replace("(", "").lstrip(),
        after=after.replace(")", "").rstrip(),
    )


def _dated(value: float, kind: Kind, *, from_1904: bool) -> str:
    if not 0 <= value < _LAST_DAY:
        return general(value)
    if kind == "time" and value < 1:
        return str(timedelta(seconds=round(value * 86400))).rjust(8, "0")
    # Day 60 is the 29 February 1900, which never was; the days before it are one off.
    days = value if from_1904 or value >= _FEBRUARY_1900 else value + 1
    epoch = _EPOCH_1904 if from_1904 else _EPOCH
    moment = epoch + timedelta(seconds=round(days * 86400))
    if kind == "date":
        return moment.date().isoformat()
    if kind == "datetime" and not moment.hour + moment.minute + moment.second:
        return moment.date().isoformat()
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


def _duration(value: float) -> str:
    sign = "-" if value < 0 else ""
    minutes, seconds = divmod(round(abs(value) * 86400), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02d}:{seconds:02d}"
