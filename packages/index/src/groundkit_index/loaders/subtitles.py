"""Subtitles: SubRip and WebVTT."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, Place, TextBuilder, Where
from groundkit_core.structure.builder import visible
from groundkit_core.text import decode, unify_newlines
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing

PAUSE = 4.0
"""Seconds of silence that end a paragraph."""
PARAGRAPH_CHARS = 400
"""A paragraph this long ends with its sentence."""
LONGEST_PARAGRAPH_CHARS = 800
TOUCHING = 0.25
"""Seconds between cues that show the same lines on."""
MOST_REPEATED_LINES = 12
"""What rolls over the screen is looked for in so many lines."""
SHORTEST_GROWING_CHARS = 12
"""A line at least this long may be repeated by a cue that goes on with it."""

_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,6}))?"
_TIMING = re.compile(rf"[ \t]*{_TIME}[ \t]*-{{1,2}}>[ \t]*{_TIME}")
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]+)>")
_TAG = re.compile(
    r"</?(?:b|c|em|font|i|lang|p|ruby|s|span|strong|u|v)(?=[\s.>/])[^<>]*>|<\d[\d:.]*>"
    r"|<rt>.*?(?:</rt>|$)|<br[ ]?/?>|\{\\[^{}]*\}|\{/?[bius]\}",
    re.I,
)
_TURN = re.compile(r"[-–—‐>]+\s?\S|\w[^\W\d]{0,24}(?:[ ]\w[^\W\d]{0,24}){0,2}:[ ]")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_INDEX = re.compile(r"\d{1,9}$")
_HEADER = re.compile(r"WEBVTT[ \t]+(?:-+[ \t]*)?(.*)")


class _Cue(NamedTuple):
    """A caption: from when to when, in seconds, and its lines as they are seen."""

    start: float
    end: float
    lines: list[str]


class _Subtitles:
    version = "1"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the captions as paragraphs; every caption is a place of its own.

        Raises:
            DocumentRefusedError: it is no text, or has no captions.
        """
        with refusing():
            return _extract(_lines(data))


LOADER = _Subtitles()


def _lines(data: bytes) -> list[str]:
    try:
        text = decode(data).text
    except DocumentRefusedError as error:
        raise DocumentRefusedError("broken", f"it cannot be decoded: {error.reason}") from None
    return unify_newlines(text).split("\n")


def _extract(lines: list[str]) -> Extraction:
    web = lines[0].startswith("WEBVTT")
    heads = [number for number, line in enumerate(lines) if _is_timing(line)]
    if not heads:
        raise DocumentRefusedError("broken", "it has no time codes")
    hidden = sum(map(len, _comments(lines))) if web else 0
    cues = [cue for cue in _cues(lines, heads, web=web) if cue.lines]
    hidden += sum(len(" ".join(cue.lines)) for cue in cues if _is_never_shown(cue))
    cues = [cue for cue in cues if not _is_never_shown(cue)]
    title = _HEADER.match(lines[0]) if web else None
    return _written(_folded(cues), title.group(1) if title else "", hidden)


def _is_timing(line: str) -> bool:
    return "->" in line and _TIMING.match(line) is not None


def _is_never_shown(cue: _Cue) -> bool:
    return cue.start == cue.end


def _comments(lines: list[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        inside = (
            bool(line.strip()) and not _is_timing(line) and (inside or bool(_COMMENT.match(line)))
        )
        if inside:
            yield line


def _cues(lines: list[str], heads: list[int], *, web: bool) -> Iterator[_Cue]:
    for head, after in zip(heads, [*heads[1:], len(lines)], strict=True):
        found = _TIMING.match(lines[head])
        if found is None:
            continue
        parts = found.groups()
        body = lines[head + 1 : after]
        body = _until_blank(body) if web else _without_index(body, last=after == len(lines))
        seen = filter(None, map(_seen, body))
        yield _Cue(_seconds(parts[:4]), _seconds(parts[4:]), list(seen))


def _until_blank(body: list[str]) -> list[str]:
    end = next((number for number, line in enumerate(body) if not line.strip()), len(body))
    return body[:end]


def _without_index(body: list[str], *, last: bool) -> list[str]:
    """The lines of a caption without the number of the one below."""
    end = len(body)
    while end and not body[end - 1].strip():
        end -= 1
    if end and not last and _INDEX.match(body[end - 1].strip()):
        end -= 1
    return body[:end]


def _seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction}")


def _seen(line: str) -> str:
    if "<" in line or "{" in line:
        line = _TAG.sub("", _VOICE.sub(r"\1: ", line))
    if "&" in line:
        line = html.unescape(line)
    return " ".join(visible(line).split())


def _folded(cues: list[_Cue]) -> Iterator[_Cue]:
    """The captions without the lines that the one before has shown already."""
    before = _Cue(0, float("-inf"), [])
    for cue in cues:
        lines = cue.lines
        if cue.start - before.end <= TOUCHING:
            lines = _new_lines(before.lines, lines)
        if lines:
            yield cue._replace(lines=lines)
        before = cue


def _new_lines(shown: list[str], lines: list[str]) -> list[str]:
    for count in range(min(len(shown), len(lines), MOST_REPEATED_LINES), 0, -1):
        if shown[-count:] == lines[:count]:
            return lines[count:]
    last = shown[-1] if shown else ""
    if len(last) >= SHORTEST_GROWING_CHARS and lines[0].startswith(f"{last} "):
        return [lines[0][len(last) + 1 :], *lines[1:]]
    return lines


class _Paragraph:
    """Captions that are read as one."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.starts: list[tuple[int, _Cue]] = []
        self._turned = False

    def add(self, cue: _Cue) -> None:
        for number, line in enumerate(cue.lines):
            turns = _TURN.match(line) or (number == 0 and self._turned)
            if self._parts:
                self._write("\n" if turns else " ")
            if number == 0:
                self.starts.append((self._length, cue))
            self._write(line)
        self._turned = self._ends_sentence() and _TURN.match(cue.lines[-1]) is not None

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def _write(self, part: str) -> None:
        self._parts.append(part)
        self._length += len(part)

    def _ends_sentence(self) -> bool:
        return _SENTENCE_END.search(self._parts[-1][-20:]) is not None

    def ends_before(self, cue: _Cue) -> bool:
        if not self.starts:
            return False
        if cue.start - self.starts[-1][1].end >= PAUSE or self._length > LONGEST_PARAGRAPH_CHARS:
            return True
        return self._length > PARAGRAPH_CHARS and self._ends_sentence()


def _written(cues: Iterator[_Cue], title: str, hidden: int) -> Extraction:
    builder = TextBuilder()
    starts: list[int] = []
    shown: list[_Cue] = []

    def close(paragraph: _Paragraph) -> None:
        at = builder.paragraph(paragraph.text)
        starts.extend(at + start for start, _ in paragraph.starts)
        shown.extend(cue for _, cue in paragraph.starts)

    paragraph = _Paragraph()
    for cue in cues:
        if paragraph.ends_before(cue):
            close(paragraph)
            paragraph = _Paragraph()
        paragraph.add(cue)
    if paragraph.starts:
        close(paragraph)
    where = _Times(starts, shown)
    extraction = builder.result(title, where=where, hidden=hidden)
    return replace(extraction, places=tuple(map(where.place, range(len(starts)))))


class _Times:
    """When a span of the text is said: from its first caption to the end of its last."""

    def __init__(self, starts: list[int], cues: list[_Cue]) -> None:
        self._starts = starts
        self._cues = cues

    def place(self, number: int) -> Place:
        start = self._cues[number].start
        return Place(self._starts[number], None, _clock(start), _fragment(start))

    def __call__(self, start: int, end: int) -> Where:
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = max(bisect_left(self._starts, end) - 1, first)
        begin, finish = self._cues[first].start, self._cues[last].end
        return Where(None, f"{_clock(begin)}-{_clock(max(begin, finish))}", _fragment(begin))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest:02}"


def _fragment(seconds: float) -> str:
    return f"t={int(seconds)}"
