r"""Translates git's wildcard patterns to regular expressions that match in polynomial time.

`*` and `?` stay within a path segment, `**` as a whole segment spans any number of them,
`[...]` knows ranges, negation and POSIX classes, `\` takes the next character as it is.
Whatever comes between two wildcards of a kind is matched at the first place that fits and
never tried again, which loses no match and keeps hostile patterns from backtracking.
"""

from __future__ import annotations

import re

_STARS = re.compile(r"\*+")
_WILD = re.compile(r"[*?\[\\]")
_CLASS = re.compile(r"\[:([^\]]*):\]")
_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r" \t\n\r\x0b\x0c",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class _NeverMatches(ValueError):  # noqa: N818 - a signal within this module
    """The pattern is malformed, and git matches nothing with it."""


def path_regex(pattern: str) -> str | None:
    """Return a regular expression without groups for a whole path or name.

    Args:
        pattern: one pattern without `!` and without slashes at its ends.

    Returns:
        The expression, for `fullmatch`; None for a pattern that matches nothing.
    """
    try:
        first, *rest = [_block_regex(parts) for parts in _blocks(pattern)]
    except _NeverMatches:
        return None
    if not rest:
        return first
    inner = "".join(f"(?>(?:[^/]*/)*?{block})" for block in rest[:-1])
    return first + inner + (f"(?:[^/]*/)*{rest[-1]}" if rest[-1] else "(?s:.*)")


def _blocks(pattern: str) -> list[list[str]]:
    """Translate what is not `*`; return the blocks between `**`, each split at its `*`."""
    blocks = [[""]]
    at = 0
    while at < len(pattern):
        if pattern[at] == "*":
            end = _STARS.match(pattern, at).end()  # type: ignore[union-attr]
            if _is_deep(pattern, at, end):
                blocks.append([""])
                end += pattern[end : end + 1] == "/"
            else:
                blocks[-1].append("")
            at = end
        else:
            translate = _bracket if pattern[at] == "[" else _single
            regex, at = translate(pattern, at)
            blocks[-1][-1] += regex
    return blocks


def _is_deep(pattern: str, at: int, end: int) -> bool:
    """Return whether a run of `*` spans segments.

    It does between slashes, and also behind a start without wildcards (`src/lib**`), which git
    compares apart from the rest.
    """
    opens = at == 0 or pattern[at - 1] == "/" or not _WILD.search(pattern, 0, at)
    return end - at > 1 and opens and pattern[end : end + 1] in ("", "/")


def _block_regex(parts: list[str]) -> str:
    """Join the parts of a block with what matches `*`."""
    if len(parts) == 1:
        return parts[0]
    inner = "".join(f"(?>[^/]*?{part})" for part in parts[1:-1])
    return f"{parts[0]}{inner}[^/]*{parts[-1]}"


def _single(block: str, at: int) -> tuple[str, int]:
    """Translate one character that is neither `*` nor `[`; return where the next begins."""
    if block[at] == "?":
        return "[^/]", at + 1
    char, after = _literal(block, at)
    return re.escape(char), after


def _literal(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] == "\\":
        at += 1
    if at >= len(text):
        raise _NeverMatches
    return text[at], at + 1


def _bracket(block: str, at: int) -> tuple[str, int]:
    """Translate a bracket expression; return where the next character begins."""
    negated = block[at + 1 : at + 2] in ("!", "^")
    at += 2 if negated else 1
    start, items, low = at, "", ""
    while at == start or block[at : at + 1] != "]":
        posix = _CLASS.match(block, at)
        if posix is not None:
            if posix[1] not in _POSIX:
                raise _NeverMatches
            items, low, at = items + _POSIX[posix[1]], "", posix.end()
        elif low and block[at : at + 1] == "-" and block[at + 1 : at + 2] not in ("", "]"):
            high, at = _literal(block, at + 1)
            items, low = items + _range(low, high), ""
        else:
            low, at = _literal(block, at)
            items += _range(low, low)
    body = f"[{'^' if negated else ''}{items}]" if items else "[^/]" if negated else "(?!)"
    return f"(?!/){body}", at + 1


def _range(low: str, high: str) -> str:
    return f"\\x{ord(low):02x}-\\x{ord(high):02x}" if low <= high else ""
