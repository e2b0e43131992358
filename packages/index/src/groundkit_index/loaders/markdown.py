"""Markdown inside other documents, such as the cells of a notebook."""

from __future__ import annotations

import html
import re
from itertools import pairwise
from textwrap import dedent

from groundkit_core.chunking.markdown.inline import plain_text
from groundkit_core.chunking.markdown.patterns import UNESCAPED_PIPE
from groundkit_core.chunking.markdown.scanner import BlockKind, scan
from groundkit_core.structure import TextBuilder

LONGEST_PLAIN_HEADING = 200

_ITEM = re.compile(r"([ ]*)([-*+]|\d{1,9}[.)])[ ]+")
_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})[ ]*([\w+#.-]{0,30})")
_RULE = re.compile(r"[ |:-]+$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN_ELEMENT = re.compile(r"<(style|script)\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.I)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>((?:(?!</?h[1-6]\b).)*+)</h\1\s*>", re.DOTALL | re.I)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_INLINE = re.compile(
    r"(`[^`\n]*`)|<br\s*/?>|"
    r"</?(?:a|abbr|b|big|center|em|font|i|img|mark|small|span|strong|sub|sup|u)\b[^<>]*>",
    re.I,
)


def add_markdown(builder: TextBuilder, text: str) -> None:
    """Add the blocks of a Markdown text; tags and comments of HTML in it are left out.

    Args:
        builder: takes the pieces.
        text: with unified newlines.
    """
    lines = [line.expandtabs(4) for line in text.split("\n")]
    leaves, headings, _ = scan(lines)
    named = {heading.line: heading for heading in headings}
    indents: list[int] = []
    ends = [*(line for line, _, _ in leaves[1:]), len(lines)]
    for (first, kind, _), end in zip(leaves, ends, strict=False):
        if kind == "heading":
            indents.clear()
            _add_heading(builder, named[first].text, named[first].level)
        else:
            _add_block(builder, kind, lines[first:end], indents)


def _add_heading(builder: TextBuilder, source: str, level: int) -> None:
    name = plain_text(source) if len(source) <= LONGEST_PLAIN_HEADING else source
    builder.heading(name, level)


def _add_block(builder: TextBuilder, kind: BlockKind, lines: list[str], indents: list[int]) -> None:
    if kind == "fence":
        _add_fence(builder, lines)
    elif kind == "code":
        builder.code(dedent("\n".join(lines)))
    elif kind == "table":
        builder.table(_cells(line) for line in lines if not _RULE.match(line))
    elif kind == "html":
        _add_html(builder, "\n".join(lines))
    elif kind == "paragraph":
        _add_text(builder, lines, indents)


def _add_fence(builder: TextBuilder, lines: list[str]) -> None:
    opening = _FENCE.search(lines[0])
    body = lines[1:]
    while body and not body[-1].strip():
        body.pop()
    if opening and body and body[-1].strip().startswith(opening.group(1)):
        body.pop()
    builder.code(dedent("\n".join(body)), opening.group(2) if opening else "")


def _cells(row: str) -> list[str]:
    bare = row.strip().removeprefix("|")
    cells = UNESCAPED_PIPE.split(bare)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [_seen(cell.replace("\\|", "|")) for cell in cells]


def _add_html(builder: TextBuilder, source: str) -> None:
    source = _UNSEEN_ELEMENT.sub("", _COMMENT.sub("", source))
    headings = list(_HTML_HEADING.finditer(source))
    bounds = [0, *(edge for found in headings for edge in found.span()), len(source)]
    for number, (start, end) in enumerate(pairwise(bounds)):
        if number % 2:
            found = headings[number // 2]
            builder.heading(html.unescape(_TAG.sub("", found.group(2))), int(found.group(1)))
        else:
            builder.paragraph(html.unescape(_TAG.sub("", source[start:end])))


def _add_text(builder: TextBuilder, lines: list[str], indents: list[int]) -> None:
    text = _seen("\n".join(lines))
    item = _ITEM.match(text)
    if item is None:
        indents.clear()
        builder.paragraph(text)
        return
    indent = len(item.group(1))
    while indents and indents[-1] >= indent:
        indents.pop()
    indents.append(indent)
    builder.item(text[item.end() :], depth=len(indents), mark=item.group(2))


def _seen(text: str) -> str:
    """The text without inline tags and comments; what stands in backticks stays."""
    if "<" not in text:
        return text
    return _INLINE.sub(lambda found: found.group(1) or "", _COMMENT.sub("", text))
