"""A Markdown text as short pieces that can stand in another document."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_CHARS = 500
"""Below half a chunk, so that two chunks seldom hold the same pieces."""

_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"#{1,6}\s")
_CUT = re.compile(r"(?<=[.!?])\s|\n")


def pieces(text: str) -> list[str]:
    """The blocks of a text, long ones cut between sentences or lines.

    A heading stays with the block below it, and both parts of a cut code block are fenced.
    Front matter is left out.
    """
    found: list[str] = []
    heading = ""
    for block in _blocks(_body(text)):
        if _HEADING.match(block):
            heading = block
            continue
        parts = _cut(block)
        if heading:
            parts[0] = f"{heading}\n\n{parts[0]}"
            heading = ""
        found += parts
    return found


def title(text: str) -> str:
    """The first heading, or nothing."""
    heading = next((block for block in _blocks(_body(text)) if _HEADING.match(block)), "")
    return heading.lstrip("#").strip()


def _body(text: str) -> list[str]:
    lines = text.splitlines()
    start = lines.index("---", 1) + 1 if lines[:1] == ["---"] and "---" in lines[1:] else 0
    return lines[start:]


def _blocks(lines: list[str]) -> Iterator[str]:
    """Headings, code blocks with their fences, and what stands between blank lines."""
    block: list[str] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        opens = bool(mark) and not fence
        alone = not fence and _HEADING.match(line)
        if block and (opens or alone or not (fence or line.strip())):
            yield "\n".join(block)
            block = []
        if fence or line.strip():
            block.append(line)
        if mark:
            closes = mark[1].startswith(fence) if fence else False
            fence = mark[1] if opens else "" if closes else fence
            if closes:
                yield "\n".join(block)
                block = []
        elif alone:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _cut(block: str) -> list[str]:
    fence = _FENCE.match(block)
    if fence is None:
        return list(_portions(block))
    first, _, rest = block.partition("\n")
    inside = rest[: rest.rfind(fence[1])].rstrip("\n") if fence[1] in rest else rest
    return [f"{first}\n{part}\n{fence[1]}" for part in _portions(inside)] or [block]


def _portions(text: str) -> Iterator[str]:
    start = last = 0
    for cut in _CUT.finditer(text):
        if cut.start() - start > MOST_CHARS and last > start:
            yield text[start:last].strip("\n")
            start = last
        last = cut.end()
    if len(text) - start > MOST_CHARS and last > start:
        yield text[start:last].strip("\n")
        start = last
    if text[start:].strip():
        yield text[start:].strip("\n")
