"""Tells text that a reader would not see."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_CLASSES = [
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader-only",
    "screenreader",
    "element-invisible",
    "a11y-hidden",
    "assistive-text",
]

HIDDEN = ", ".join(("[hidden]", "[style]", "dialog", *(f".{name}" for name in _CLASSES)))
"""Selects what may be hidden."""

_UNSEEN = re.compile(
    r"display\s*:\s*none"
    r"|visibility\s*:\s*(?:hidden|collapse)"
    r"|content-visibility\s*:\s*hidden"
    r"|(?<![\w-])opacity\s*:\s*(?:0?\.0+|0)%?\s*(?:;|!|$)"
    r"|font-size\s*:\s*(?:0?\.0+|0)[a-z%]*\s*(?:;|!|$)"
    r"|text-indent\s*:\s*-\d{3,}"
    r"|(?<![\w-])(?:left|top|right)\s*:\s*-\d{4,}"
    r"|(?<![\w-])clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01]",
    re.IGNORECASE,
)


def is_hidden(node: LexborNode) -> bool:
    """Whether an element that `HIDDEN` selects, and all in it, is out of a reader's sight.

    `aria-hidden` is not asked: what carries it is seen. Style sheets are not read.
    """
    attributes = node.attributes
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    if node.tag == "dialog" and "open" not in attributes:
        return True
    if _UNSEEN.search(attributes.get("style") or ""):
        return True
    return not set(_CLASSES).isdisjoint((attributes.get("class") or "").split())
