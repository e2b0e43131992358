"""Links that scroll a browser to a passage: https://wicg.github.io/scroll-to-text-fragment/."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

_WORDS = 6
"""Words of the first and of the last line that the link names."""

_ENOUGH_WORDS, _ENOUGH_WIDE = 4, 10
"""Words, or characters of a script without blanks, that hardly occur twice on a page."""

_LOOKED_AT = 5
_LONG = 60

_HEADING = re.compile(r"#{1,6}\s+")
_ITEM = re.compile(r"(?:[-*+]|\d{1,6}[.)])\s+")
_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
_FENCE = re.compile(r"`{3,}[\w+#.-]*")
_CELL = re.compile(r"(?<!\\)\|")
# Blanks that running text has once, but code and tables of text several times.
_GAP = re.compile(r"\s{2,}|\t")
_WIDE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_STOP = re.compile("[\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\uff08\uff09\u300c\u300d]")
# What pages may write otherwise: marks of notes, powers, bars with wide blanks around.
_OURS = re.compile(r"\[[^\]]{1,8}\]|\^|(?<!\S)\|(?!\S)")
_WORD = re.compile(r"\w")


class _Line(NamedTuple):
    """A run of text within one block of the page and one line of ours."""

    text: str
    heading: bool


def text_fragment(content: str) -> str | None:
    """Return what follows `#` in a link that scrolls a browser to a passage of a web page.

    It names the first words of the passage's first line and the last words of its last one, each
    within one block of the page, as browsers want. A heading stands in tables of contents too,
    and short lines stand anywhere, so a longer line near them is named instead, if there is one.

    Args:
        content: the exact text of a chunk, with the Markdown marks of the HTML loader.

    Returns:
        Such as `:~:text=To%20begin%20with,the%20very%20end`; None where there are no words.
    """
    lines = _lines(content)
    if not lines:
        return None
    first = _best(lines[:_LOOKED_AT])
    last = max(first, len(lines) - 1 - _best(lines[: -_LOOKED_AT - 1 : -1]))
    start, end = lines[first].text, lines[last].text
    head, tail = _head(start), _tail(end)
    if first == last and len(head) + len(tail) >= len(start):
        return f":~:text={_encoded(start)}"
    return f":~:text={_encoded(head)},{_encoded(tail)}"


def _lines(content: str) -> list[_Line]:
    found = []
    for line in content.split("\n"):
        bare = line.strip()
        heading = _HEADING.match(bare) is not None
        runs = (_longest_run(piece) for piece in _pieces(bare))
        found += [_Line(run, heading) for run in runs if _WORD.search(run)]
    return found


def _pieces(line: str) -> list[str]:
    """Return the cells or the parts between wide gaps of a line."""
    if _FENCE.fullmatch(line) or _RULE.fullmatch(line):
        return []
    if line.startswith("|"):
        cells = _CELL.split(line)
        return [" ".join(cell.replace("\\|", "|").split()) for cell in cells]
    mark = _HEADING.match(line) or _ITEM.match(line)
    return _GAP.split(line[mark.end() :] if mark else line)


def _longest_run(line: str) -> str:
    """Return the longest part without marks that may be ours only."""
    if not _OURS.search(line):
        return line
    runs: list[list[str]] = [[]]
    for word in line.split():
        if _OURS.search(word):
            runs.append([])
        else:
            runs[-1].append(word)
    lengths = [len(run) for run in runs]
    return " ".join(runs[lengths.index(max(lengths))])


def _best(lines: Sequence[_Line]) -> int:
    """Return the number of the first line that is long enough, else of the longest."""
    for number, line in enumerate(lines):
        if not line.heading and _is_long(line.text):
            return number
    return max(range(len(lines)), key=lambda number: len(lines[number].text))


def _is_long(text: str) -> bool:
    return len(text.split()) >= _ENOUGH_WORDS or len(_WIDE.findall(text)) >= _ENOUGH_WIDE


def _head(line: str) -> str:
    head = " ".join(line.split()[:_WORDS])
    if len(head) <= _LONG or not _WIDE.search(head):
        return head
    stops = [stop.start() for stop in _STOP.finditer(head)]
    fitting = [stop for stop in stops if _ENOUGH_WIDE <= stop <= _LONG]
    later = [stop for stop in stops if stop > _LONG]
    return head[: fitting[-1]] if fitting else head[: later[0]] if later else head


def _tail(line: str) -> str:
    tail = " ".join(line.split()[-_WORDS:])
    if len(tail) <= _LONG or not _WIDE.search(tail):
        return tail
    starts = [stop.end() for stop in _STOP.finditer(tail)]
    fitting = [at for at in starts if _ENOUGH_WIDE <= len(tail) - at <= _LONG]
    earlier = [at for at in starts if len(tail) - at > _LONG]
    return tail[fitting[0] :] if fitting else tail[earlier[-1] :] if earlier else tail


def _encoded(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")
