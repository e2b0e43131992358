"""YAML and TOML front matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_LINES = 1000
"""Front matter that is not closed within so many lines is none."""

_CLOSINGS = {"---": ("---", "..."), "+++": ("+++",)}
_KEY = re.compile(r"[\"']?[A-Za-z_][\w .-]*[\"']?\s*[:=]")
_TITLE = re.compile(r"[\"']?title[\"']?\s*[:=]\s*(.*)", re.IGNORECASE)
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?$")
_YAML_COMMENT = re.compile(r"\s+#.*")


class FrontMatter(NamedTuple):
    """Metadata before the document.

    Attributes:
        end: one past its last line, from 0.
        title: the value of its top-level `title`, or "".
    """

    end: int
    title: str


def front_matter(lines: Sequence[str]) -> FrontMatter | None:
    """The front matter that a document starts with, if there is any.

    It stands between two lines `---` (or `---` and `...`, or `+++`) and holds at
    least one key, so that a thematic break is not taken for it.
    """
    closings = _CLOSINGS.get(lines[0].rstrip()) if lines else None
    if closings is None:
        return None
    for number, line in enumerate(lines[1 : MAX_LINES + 1], 1):
        if line.rstrip() in closings:
            body = lines[1:number]
            return FrontMatter(number + 1, _title(body)) if _holds_keys(body) else None
    return None


def _holds_keys(body: Sequence[str]) -> bool:
    first = next((line for line in body if not line.startswith("#")), "")
    return bool(first.strip()) and any(map(_KEY.match, body))


def _title(body: Sequence[str]) -> str:
    for number, line in enumerate(body):
        found = _TITLE.match(line)
        if found:
            value = found.group(1).strip()
            if _BLOCK_SCALAR.match(value):
                return body[number + 1].strip() if number + 1 < len(body) else ""
            return _unquoted(value)
    return ""


def _unquoted(value: str) -> str:
    quote = value[:1]
    if quote in {'"', "'"}:
        end = value.find(quote, 1)
        return value[1:end] if end > 0 else value[1:]
    return _YAML_COMMENT.sub("", value)
