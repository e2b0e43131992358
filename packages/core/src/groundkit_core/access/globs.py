r"""Path patterns of policies, as regular expressions that match in linear time.

    | pattern  | matches                                                    |
    |----------|------------------------------------------------------------|
    | `*`      | any characters within one path segment                     |
    | `?`      | one character within a segment                             |
    | `[a-z_]` | one of these characters; `[!a-z]` one that is none of them |
    | `**`     | as a whole segment: any number of segments, also none;     |
    |          | at the end at least one                                    |

A pattern is matched with the whole path below the root, with regard to case, both in NFC. What
comes between two wildcards is matched at the first place that fits and never tried again, which
loses no match and keeps hostile patterns from backtracking.
"""

from __future__ import annotations

import re
import unicodedata

MAX_PATTERN_CHARS = 256

_WILD = re.compile(r"[*?\[]")
_TOKEN = re.compile(r"\*+|\?|\[(?P<members>!?[^]]*)(?P<close>\]?)|[^*?\[]+")
_FOLDERS = "(?:[^/]++/)*"


def normalized(path: str) -> str:
    """Return a path as patterns see it: names that look the same are ruled the same."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def literal_folder(pattern: str) -> str | None:
    """Return the first segment of a pattern that has more, or None when it has a wildcard."""
    first, slash, _ = pattern.partition("/")
    return first if slash and not _WILD.search(first) else None


def glob_regex(pattern: str) -> str:
    """Return a regular expression without capturing groups, for `fullmatch` with a path.

    Raises:
        ValueError: the pattern is malformed; the message does not repeat it.
    """
    first, *rest = _blocks(_segments(pattern))
    if not rest:
        return first
    start = f"{first}/" if first else ""
    middle = "".join(f"(?>{_FOLDERS}?{block}/)" for block in rest[:-1])
    return start + middle + (f"{_FOLDERS}{rest[-1]}" if rest[-1] else "(?s:.+)")


def _segments(pattern: str) -> list[str]:
    if not pattern or len(pattern) > MAX_PATTERN_CHARS:
        raise ValueError(f"a pattern has 1 to {MAX_PATTERN_CHARS} characters")
    if "\\" in pattern:
        raise ValueError("folders are separated by '/', and '[*]' matches a '*'")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in pattern):
        raise ValueError("a pattern holds no control characters")
    segments = normalized(pattern).split("/")
    if not segments[0] or segments[0] == "~":
        raise ValueError("a pattern is relative to the root, so it does not start with '/' or '~'")
    if not segments[-1]:
        raise ValueError("a pattern matches documents; end it with '/**' for a whole folder")
    if any(segment in ("", ".", "..") for segment in segments):
        raise ValueError("a pattern has no empty, '.' or '..' segment")
    return segments


def _blocks(segments: list[str]) -> list[str]:
    """Translate what lies between `**`; runs of `**` are one."""
    blocks: list[list[str]] = [[]]
    for position, segment in enumerate(segments):
        if segment != "**":
            blocks[-1].append(_segment(segment))
        elif not position or segments[position - 1] != "**":
            blocks.append([])
    return ["/".join(block) for block in blocks]


def _segment(segment: str) -> str:
    """Translate one segment; the parts between its `*` are each of a fixed length."""
    parts = [""]
    for token in _TOKEN.finditer(segment):
        text = token.group()
        if text == "*":
            parts.append("")
        elif text[0] == "*":
            raise ValueError("'**' stands alone between slashes")
        elif text == "?":
            parts[-1] += "[^/]"
        elif text[0] == "[":
            parts[-1] += _bracket(token["members"], closed=bool(token["close"]))
        else:
            parts[-1] += re.escape(text)
    first, *rest = parts
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{part})" for part in rest[:-1])
    return f"{first}{middle}[^/]*{rest[-1]}"


def _bracket(members: str, *, closed: bool) -> str:
    negated = members.startswith("!")
    members = members[1:] if negated else members
    if not closed or not members:
        raise ValueError("'[' opens a set that is empty or not closed; '[[]' matches a '['")
    if members[0] == "^":
        raise ValueError("'[!...]' matches what is not in a set; '^' is not the first in one")
    items, at = "", 0
    while at < len(members):
        low = members[at]
        is_range = members[at + 1 : at + 2] == "-" and at + 2 < len(members)
        high = members[at + 2] if is_range else low
        if low > high:
            raise ValueError("a range in '[...]' runs from the lower to the higher character")
        items += f"{re.escape(low)}-{re.escape(high)}" if is_range else re.escape(low)
        at += 3 if is_range else 1
    return f"(?!/)[{'^' if negated else ''}{items}]"
