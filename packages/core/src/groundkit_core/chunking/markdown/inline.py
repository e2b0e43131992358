"""Headings without inline markup."""

from __future__ import annotations

import html
import re

MAX_CHARS = 200
"""The length that headings are shortened to."""

_MARKUP = re.compile(r"[`*_~\[\]<>&\\{\n]")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])?")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->")
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1")
_UNDERLINED = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CUSTOM_ID = re.compile(r"\s*\{#[\w:.-]+\}$")
_HIDDEN = "\ue000"


def plain_text(source: str) -> str:
    """A heading's text: no code marks, links, emphasis, tags or escapes, on one line.

    Longer than `MAX_CHARS`, it is cut between words.
    """
    if len(source) <= MAX_CHARS and _MARKUP.search(source) is None:
        return source
    text = _CUSTOM_ID.sub("", _shortened(source))
    hidden: list[str] = []
    text = _CODE.sub(lambda found: _hide(hidden, found.group(2).strip()), text)
    text = _ESCAPE.sub(lambda found: _hide(hidden, found.group(1)), text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    for pattern, kept in ((_LINK, r"\1"), (_LINK, r"\1"), (_STRONG, r"\2"), (_UNDERLINED, r"\2")):
        text = pattern.sub(kept, text)
    text = html.unescape(text)
    for part in hidden:
        text = text.replace(_HIDDEN, part, 1)
    return " ".join(text.split())


def _hide(hidden: list[str], part: str) -> str:
    """Keeps a part from further stripping."""
    hidden.append(part)
    return _HIDDEN


def _shortened(source: str) -> str:
    if len(source) <= MAX_CHARS:
        return source
    words = source[:MAX_CHARS].rsplit(None, 1)
    return words[0].rstrip()
