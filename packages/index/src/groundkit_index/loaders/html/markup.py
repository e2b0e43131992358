"""Readies markup for an HTML parser: XHTML, and nesting that no reader needs."""

from __future__ import annotations

import re
from collections import Counter
from html import escape

from groundkit_core.errors import DocumentRefusedError

MAX_NESTING = 4_000
"""Elements nested deeper stand beside one another, as they do in browsers; their text stays.

The time a parser takes grows with the square of the nesting.
"""

MAX_ATTRIBUTES = 2_000

_XML = re.compile(
    r"<\?xml\b|<!DOCTYPE[^>]*\bXHTML\b|xmlns(?::\w+)?\s*=\s*[\"']http://www\.w3\.org/1999/xhtml"
)
_LOOKED_AT = 2_000
_SUBSET = re.compile(r"<!DOCTYPE[^>\[]*(\[[^\]]*\]\s*)>", re.IGNORECASE)
_ENTITY = re.compile(r"""<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&]{0,64})"|'([^'<&]{0,64})')\s*>""")
_MAX_ENTITIES = 100_000
_VOID_NAMES = "area base basefont br col embed frame hr img input link meta param source track wbr"
_VOID = frozenset(_VOID_NAMES.split())
_PREFIX = re.compile(r"""xmlns:(\w+)\s*=\s*["']http://www\.w3\.org/1999/xhtml["']""")
_NESTERS = (
    "div|ul|ol|dl|blockquote|section|article|center|table|fieldset|form|details|main|aside|nav"
    "|header|footer|figure|menu|dir|address|button|object|pre|template|applet|marquee|select|svg"
)
_HEADS = frozenset(name[:2] for name in _NESTERS.split("|"))
_NESTING = re.compile(rf"<(/?)(?:{_NESTERS})\b[^<>]*+>?", re.IGNORECASE)
_NOSCRIPT = re.compile(r"<noscript\b", re.IGNORECASE)
_NOSCRIPT_END = re.compile(r"</noscript\b[^<>]*>", re.IGNORECASE)
_OPTION = re.compile(r"</?opt(?:ion|group)\b[^<>]*+>?", re.IGNORECASE)
_LAST_TAG = re.compile(r"([A-Za-z][\w:.-]*)[^<>]*$")
_LONG = 8_000
_LONG_TAG = re.compile(rf"<[A-Za-z][^<>]{{{_LONG},}}+")


def prepared(markup: str) -> str:
    """Return markup that an HTML parser reads as its author meant it, in linear time.

    Raises:
        DocumentRefusedError: `over_limit`, for an element with too many attributes.
    """
    if _XML.search(markup, 0, _LOOKED_AT):
        markup = _as_html(markup)
    markup = _without_noscript(markup)
    _check_attributes(markup)
    if markup.count("<") - markup.count("</") <= MAX_NESTING:
        return markup
    return _bounded(markup)


def _as_html(markup: str) -> str:
    subset = _SUBSET.search(markup, 0, 100_000)
    if subset is not None:
        markup = markup[: subset.start(1)] + markup[subset.end(1) :]
        markup = _with_entities(markup, subset[1])
    markup = _without_cdata(markup)
    prefix = _PREFIX.search(markup, 0, _LOOKED_AT)
    if prefix is not None:
        markup = re.sub(rf"<(/?){prefix[1]}:", r"<\1", markup)
    return _with_end_tags(markup)


def _without_cdata(markup: str) -> str:
    first, *others = markup.split("<![CDATA[")
    parts = [first]
    for other in others:
        data, end, rest = other.partition("]]>")
        parts += [escape(data, quote=False), rest] if end else [other]
    return "".join(parts)


def _without_noscript(markup: str) -> str:
    """Leave out what a parser would move out of the head into the text."""
    if "<noscript" not in markup and "<NOSCRIPT" not in markup:
        return markup
    first, *others = _NOSCRIPT.split(markup)
    parts = [first]
    for other in others:
        end = _NOSCRIPT_END.search(other)
        parts.append(other[end.end() :] if end else f"<noscript{other}")
    return "".join(parts)


def _with_entities(markup: str, subset: str) -> str:
    values = {found[1]: found[2] or found[3] or "" for found in _ENTITY.finditer(subset)}
    if not values:
        return markup
    return re.sub(
        r"&([\w.-]+);", lambda found: values.get(found[1], found[0]), markup, count=_MAX_ENTITIES
    )


def _with_end_tags(markup: str) -> str:
    """Give elements that close themselves an end tag, which HTML wants."""
    *parts, last = markup.split("/>")
    closed = []
    for part in parts:
        closed.append(part)
        tag = _LAST_TAG.match(part, part.rfind("<") + 1)
        void = tag is None or tag[1].lower() in _VOID
        closed.append("/>" if tag is None or void else f"></{tag[1]}>")
    return "".join([*closed, last])


def _check_attributes(markup: str) -> None:
    gaps = range(0, len(markup) - _LONG, _LONG)
    if all(markup.find("<", at, at + _LONG) >= 0 for at in gaps):
        return
    for tag in _LONG_TAG.finditer(markup):
        if len(tag[0].split()) > MAX_ATTRIBUTES:
            raise DocumentRefusedError("over_limit", f"more than {MAX_ATTRIBUTES:,} attributes")


def _bounded(markup: str) -> str:
    """Return the markup without what would take a parser more than linear time."""
    heads = Counter([part[:2] for part in markup.lower().split("<")])
    if heads["op"] > MAX_NESTING:
        markup = _OPTION.sub(" ", markup)
    if sum(heads[head] for head in _HEADS) > MAX_NESTING and _nests(markup):
        markup = _flattened(markup)
    return markup


def _nests(markup: str) -> bool:
    depth = 0
    for closing in _NESTING.findall(markup):
        if not closing:
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif depth:
            depth -= 1
    return False


def _flattened(markup: str) -> str:
    depth = 0

    def kept(found: re.Match[str]) -> str:
        nonlocal depth
        if not found[1]:
            depth += 1
            return found[0] if depth <= MAX_NESTING else " "
        inner = depth > MAX_NESTING
        depth = max(depth - 1, 0)
        return " " if inner else found[0]

    return _NESTING.sub(kept, markup)
