"""The start tags of an HTML page, without building a tree.

Trees of hostile pages explode: 30 KB of unclosed `<font>` and `<p>` become a gigabyte by the rules
of HTML, and deep nesting takes quadratic time. Reading tags (WHATWG HTML, 13.2.5) is linear.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from html import unescape
from html.entities import html5

_OPEN = re.compile(r"<(?=[A-Za-z/!?])")
_NAME = re.compile(r"[A-Za-z][^\t\n\f\r />]*")
_GAP = re.compile(r"[\t\n\f\r /]*")
_ATTRIBUTE = re.compile(r"=?[^\t\n\f\r />=]*")
_EQUALS = re.compile(r"[\t\n\f\r ]*+=[\t\n\f\r ]*")
_UNQUOTED = re.compile(r"[^\t\n\f\r >]*")
_RAW = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
_RAW_ENDS = {name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE) for name in _RAW}
_COMMENT_END = re.compile(r"--!?>")
# Without a semicolon, and before `=`, a name stands for itself: `?a=1&copy=2`.
_REFERENCE = re.compile(
    r"&(?:#[0-9]{1,8};?|#[xX][0-9a-fA-F]{1,8};?|([A-Za-z][A-Za-z0-9]{0,40}(?:;|(?![=A-Za-z0-9]))))"
)


def start_tags(page: str, wanted: Container[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield names and attributes of start tags, in lower case, in their order.

    What stands in comments, scripts, styles and the like is no tag, nor is one that the end of
    the page cuts off.

    Args:
        page: the page.
        wanted: names of the tags to yield.
    """
    place: int | None = 0
    while place is not None and (opened := _OPEN.search(page, place)):
        place = opened.end()
        name = _NAME.match(page, place)
        if name is None:
            place = _after_other(page, place)
            continue
        attributes, place = _attributes(page, name.end())
        if place is None:
            return
        tag = name[0].lower()
        if tag in wanted:
            yield tag, attributes
        if tag == "plaintext":
            return
        if (raw := _RAW_ENDS.get(tag)) is not None:
            end = raw.search(page, place)
            place = end.start() if end else None


def _after_other(page: str, place: int) -> int | None:
    """Return where an end tag, comment or declaration ends; None when it does not."""
    if page.startswith("!--", place):
        if page.startswith((">", "->"), place + 3):
            return place + 4
        end = _COMMENT_END.search(page, place + 3)
        return end.end() if end else None
    if page[place] == "/" and (name := _NAME.match(page, place + 1)):
        return _attributes(page, name.end())[1]
    closed = page.find(">", place)
    return None if closed < 0 else closed + 1


def _attributes(page: str, place: int) -> tuple[dict[str, str], int | None]:
    """Return the attributes of a tag and where it ends; None when it does not."""
    found: dict[str, str] = {}
    if page.startswith(">", place):
        return found, place + 1
    while True:
        place = _skip(_GAP, page, place)
        if place >= len(page):
            return found, None
        if page[place] == ">":
            return found, place + 1
        end = _skip(_ATTRIBUTE, page, place)
        name, place = page[place:end].lower(), end
        value = ""
        if (equals := _EQUALS.match(page, place)) is not None:
            place = equals.end()
            quote = page[place : place + 1]
            if quote and quote in "\"'":
                end = page.find(quote, place + 1)
                if end < 0:
                    return found, None
                value, place = page[place + 1 : end], end + 1
            else:
                end = _skip(_UNQUOTED, page, place)
                value, place = page[place:end], end
        found.setdefault(name, _REFERENCE.sub(_character, value) if "&" in value else value)


def _skip(pattern: re.Pattern[str], page: str, place: int) -> int:
    matched = pattern.match(page, place)
    return matched.end() if matched else place


def _character(reference: re.Match[str]) -> str:
    """Return what a character reference in an attribute stands for."""
    name = reference[1]
    return unescape(reference[0]) if name is None else html5.get(name, reference[0])
