"""Counts the numbered paragraphs of a Word document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from groundkit_index.loaders.docx.names import VAL, W, value
from groundkit_index.loaders.xmltree import Element, number

BULLET = "-"
_LAST_LEVEL = 8
_LARGEST = 10**9
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    legal: bool = False


@dataclass(slots=True)
class _List:
    abstract: str
    levels: dict[int, _Level]
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of a document and how far each has been counted."""

    def __init__(self, tree: Element | None) -> None:
        self._lists: dict[str, _List] = {}
        self._counts: dict[str, dict[int, int]] = {}
        if tree is None:
            return
        abstract = {one.get(f"{W}abstractNumId", ""): one for one in tree.iter(f"{W}abstractNum")}
        linked = {value(one, "styleLink"): key for key, one in abstract.items()}
        for one in tree.iter(f"{W}num"):
            key = value(one, "abstractNumId")
            if key in abstract:
                key = linked.get(value(abstract[key], "numStyleLink") or "-", key)
                self._lists[one.get(f"{W}numId", "")] = _list(one, key, abstract[key])

    def __contains__(self, list_id: str) -> bool:
        return list_id in self._lists

    def next(self, list_id: str, level: int) -> str:
        """Count a paragraph, and return what stands before it: `-` for a bullet."""
        found = self._lists[list_id]
        level = min(max(level, 0), _LAST_LEVEL)
        counts = self._counts.setdefault(found.abstract, {})
        if level in found.starts:
            counts[level] = found.starts.pop(level) - 1
        definition = found.levels.get(level) or _Level()
        counts[level] = counts.get(level, definition.start - 1) + 1
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        return _mark(found.levels, definition, counts)


def _mark(levels: dict[int, _Level], level: _Level, counts: dict[int, int]) -> str:
    if level.form == "bullet":
        return BULLET

    def counted(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        other = levels.get(place) or _Level()
        return _formatted(counts.get(place, other.start), "" if level.legal else other.form)

    return _PLACEHOLDER.sub(counted, level.text).strip()


def _list(element: Element, key: str, abstract: Element) -> _List:
    levels = {number(one.get(f"{W}ilvl")): _level(one) for one in abstract.iterchildren(f"{W}lvl")}
    found = _List(key, levels)
    for override in element.iterchildren(f"{W}lvlOverride"):
        place = number(override.get(f"{W}ilvl"))
        level = override.find(f"{W}lvl")
        if level is not None:
            levels[place] = _level(level)
        start = override.find(f"{W}startOverride")
        if start is not None:
            found.starts[place] = _count(start.get(VAL))
    return found


def _level(element: Element) -> _Level:
    return _Level(
        _count(value(element, "start") or "1"),
        value(element, "numFmt") or "decimal",
        value(element, "lvlText"),
        element.find(f"{W}isLgl") is not None,
    )


def _count(text: str | None) -> int:
    return min(max(number(text, 1), 0), _LARGEST)


def _formatted(count: int, form: str) -> str:
    if form == "none":
        return ""
    if form == "decimalZero":
        return f"{count:02d}"
    if form.endswith("Roman") and 0 < count < 4000:
        return _cased(_roman(count), form)
    if form.endswith("Letter") and 0 < count <= 26 * 4:
        return _cased(chr(ord("a") + (count - 1) % 26) * ((count + 25) // 26), form)
    return str(count)


def _cased(text: str, form: str) -> str:
    return text.upper() if form.startswith("upper") else text


def _roman(count: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        times, count = divmod(count, size)
        text += letters * times
    return text
