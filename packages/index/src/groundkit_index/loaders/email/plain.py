"""Bodies that are plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundkit_core.structure import TextBuilder

MAX_QUOTES = 8
"""Quotes nested deeper count as this deep."""

_BLANK_LINES = re.compile(r"\n[>| \t]*\n\s*")
_QUOTE = re.compile(r"(?:[ ]?>)+")
_ALIGNED = re.compile(r"\S[ ]{3,}\S|^[ ]{2,}\S|\t", re.MULTILINE)
_ARMOUR = re.compile(
    r"^-----BEGIN PGP (?P<what>MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----$.*?"
    r"(?:^-----END PGP (?P=what)-----$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:Hash:.*\n)*\n?", re.MULTILINE)


def without_armour(text: str) -> tuple[str, bool]:
    """Return the text without PGP blocks, and whether one of them hides a message."""
    if "-----BEGIN PGP" not in text:
        return text, False
    hides = "-----BEGIN PGP MESSAGE-----" in text
    return _ARMOUR.sub("", _SIGNED.sub("", text)), hides


def unwrapped(text: str, *, spaced: bool) -> str:
    """Return `format=flowed` text (RFC 3676) with its paragraphs joined.

    Args:
        text: with unified newlines.
        spaced: whether the space before a soft line break is text, as without `delsp`.
    """
    lines: list[str] = []
    flows = False
    depth = 0
    for line in text.split("\n"):
        quote, body = _unquoted(line)
        body = body.removeprefix(" ")
        if flows and quote == depth and body != "-- ":
            lines[-1] += body
        else:
            lines.append(f"{'>' * quote} {body}" if quote else body)
        depth = quote
        flows = body.endswith(" ") and body != "-- "
        if flows and not spaced:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def add_plain(builder: TextBuilder, text: str) -> None:
    """Add the paragraphs of a plain text; what is laid out with blanks keeps them.

    Args:
        builder: takes the pieces.
        text: with unified newlines.
    """
    for block in _blocks(text):
        found = _QUOTE.match(block)
        depth = min(found.group().count(">"), MAX_QUOTES) if found else 0
        if _ALIGNED.search(block):
            builder.lines(block)
        else:
            builder.paragraph(block, depth=depth)


def _blocks(text: str) -> Iterator[str]:
    """Stretches without blank lines whose lines are quoted equally deep."""
    for stretch in _BLANK_LINES.split(text):
        block: list[str] = []
        depth = 0
        for line in stretch.split("\n"):
            quote, _ = _unquoted(line)
            if block and quote != depth:
                yield "\n".join(block)
                block = []
            depth = quote
            block.append(line.rstrip())
        if any(block):
            yield "\n".join(block)


def _unquoted(line: str) -> tuple[int, str]:
    found = _QUOTE.match(line)
    return (found.group().count(">"), line[found.end() :]) if found else (0, line)
