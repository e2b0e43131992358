"""The line patterns of CommonMark blocks and GFM tables.

Lines come with tabs expanded. Every pattern is linear in the line.
"""

from __future__ import annotations

import re

SPACES = re.compile(r" *")
ATX = re.compile(r"(#{1,6})(?: |$)")
FENCE = re.compile(r"`{3,}+(?=[^`]*$)|~{3,}+")
SETEXT = re.compile(r"(?:=+|-+) *$")
ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?= |$)", re.ASCII)
DELIMITER_ROW = re.compile(r"[|:-][|: -][|: -]*$")
DELIMITER_CELL = re.compile(r":?-+:?$")
UNESCAPED_PIPE = re.compile(r"(?<!\\)\|")

_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|"
    "head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|"
    "p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = (
    r"\s++[A-Za-z_:][A-Za-z0-9_.:-]*+"
    r"""(?:\s*+=\s*+(?:[^"'=<>`\x00-\x20]++|'[^']*+'|"[^"]*+"))?+"""
)
HTML_TAG_LINE = re.compile(
    rf"(?:<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>|</[A-Za-z][A-Za-z0-9-]*+\s*+>)\s*$"
)
"""A line with nothing but one tag: an HTML block that cannot interrupt a paragraph."""

BLANK_LINE = re.compile(r"(?!)")
"""Stands for the blank line that closes an HTML block; found by no search within a line."""

HTML_OPENINGS = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=\s|>|$)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_TAGS})(?=\s|/?>|$)", re.I), BLANK_LINE),
)
"""How an HTML block opens and what closes it."""

_LABEL = r" {0,3}\[(?=[^\]]*\S)(?:[^\]\[\\]|\\.){1,999}+\]:"
_TARGET = r"(?:<[^<>\n]*+>|(?!<)\S++)"
_TITLE = r"""(?:"(?:[^"\\]|\\.){0,999}+"|'(?:[^'\\]|\\.){0,999}+'|\((?:[^()\\]|\\.){0,999}+\))"""
REFERENCE = re.compile(
    rf"{_LABEL}[ ]*\n?[ ]*{_TARGET}(?:(?:[ ]+|[ ]*\n[ ]*){_TITLE}[ ]*(?:\n|$)|[ ]*(?:\n|$))",
    re.DOTALL,
)
"""A link reference definition, at the start of a paragraph."""
