"""Headings, sentences and code spans of a Markdown text, good enough to ask about."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$")
_EXAMPLE = re.compile(r"^example\s+\d+\s*[:.-]\s*", re.IGNORECASE)
_NOT_PROSE = re.compile(r"^\s*([|>#:<!\[-]|\d+[.)]|[*+]\s|---|    |\t)")
_LINK = re.compile(r"!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])?")
_TAG = re.compile(r"<[^>]*>")
_EMPHASIS = re.compile(r"[`*\\]|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
_CODE_SPAN = re.compile(r"`([A-Za-z_-][\w.-]{3,40})`")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def plain(line: str) -> str:
    """The line without links, tags, emphasis and code marks."""
    without = _TAG.sub("", _LINK.sub(r"\1", line))
    return " ".join(_EMPHASIS.sub("", without).split())


def _visible_lines(text: str) -> Iterator[str]:
    """The lines outside front matter and code fences."""
    lines = text.splitlines()
    start = lines.index("---", 1) + 1 if lines[:1] == ["---"] and "---" in lines[1:] else 0
    fence = ""
    for line in lines[start:]:
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        elif not fence:
            yield line


def headings(text: str) -> list[str]:
    """The headings as plain text, without an `Example 3:` in front."""
    found = (_HEADING.match(line) for line in _visible_lines(text))
    return [_EXAMPLE.sub("", plain(match[1])) for match in found if match]


def paragraphs(text: str) -> list[str]:
    """The paragraphs of prose as plain text, each on one line."""
    blocks: list[str] = []
    gathered: list[str] = []
    for line in [*_visible_lines(text), ""]:
        if line.strip() and not _NOT_PROSE.match(line):
            gathered.append(line)
        elif gathered:
            blocks.append(plain(" ".join(gathered)))
            gathered = []
    return blocks


def sentences(text: str) -> list[str]:
    """The sentences of the paragraphs that begin with a capital and end with a full stop."""
    parts = (part for block in paragraphs(text) for part in _SENTENCE.split(block))
    return [part for part in parts if part[:1].isupper() and part.endswith(".")]


def identifiers(text: str) -> list[str]:
    """The code spans that look like one name."""
    return [name for line in _visible_lines(text) for name in _CODE_SPAN.findall(line)]
