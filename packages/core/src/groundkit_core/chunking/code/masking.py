"""Blotting out strings and comments, so that structure can be read line by line."""

from __future__ import annotations

import re

COMMENT = "\x01"
STRING = "\x02"
INNER_LINE_END = "\v"

_VISIBLE = re.compile(r"[^\n]")

_SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
_HASH = r"#[^\n]*"
_DOUBLE = r'"(?:[^"\\\n]|\\.)*+"?'
_SINGLE = r"'(?:[^'\\\n]|\\.)*+'?"
_TRIPLE = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?'
_TRIPLE_SINGLE = r"'''(?:[^'\\]|\\.|'(?!''))*+(?:''')?"
_BACKTICK = r"`(?:[^`\\]|\\.)*+`?"
_CHAR = r"'(?:\\[^\n']*+|[^'\\\n])'"


def _tokens(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.DOTALL)


C_TOKENS = _tokens(_SLASHES, _DOUBLE, _SINGLE)
CHAR_TOKENS = _tokens(_SLASHES, _TRIPLE, _DOUBLE, _CHAR)
"""For languages in which a lone apostrophe is no quote, such as Rust."""

GO_TOKENS = _tokens(_SLASHES, _DOUBLE, r"`[^`]*+`?", _CHAR)
JAVASCRIPT_TOKENS = _tokens(_SLASHES, _DOUBLE, _SINGLE, _BACKTICK)
PHP_TOKENS = _tokens(_SLASHES, _HASH, _DOUBLE, _SINGLE)
PYTHON_TOKENS = _tokens(_HASH, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE)
HASH_TOKENS = _tokens(_HASH, _DOUBLE, _SINGLE)
SHELL_TOKENS = _tokens(r"(?<![$\w{])#[^\n]*", r'"(?:[^"\\]|\\.)*+"?', r"'[^']*+'?")
SQL_TOKENS = _tokens(r"--[^\n]*", r"/\*.*?(?:\*/|\Z)", r"\$\$.*?(?:\$\$|\Z)", r"'[^']*+'?")
LUA_TOKENS = _tokens(r"--\[\[.*?(?:\]\]|\Z)", r"--[^\n]*", r"\[\[.*?(?:\]\]|\Z)", _DOUBLE, _SINGLE)
SEMICOLON_TOKENS = _tokens(r";[^\n]*", r'"(?:[^"\\]|\\.)*+"?')

_COMMENT_STARTS = ("//", "/*", "#", "--", ";")


def mask(text: str, tokens: re.Pattern[str]) -> str:
    r"""The text with every string and comment blotted out, of the same length.

    Comments become `COMMENT`, strings `STRING`, and the line ends inside them
    `INNER_LINE_END`, so that what is left of `\n` separates logical lines.
    """
    return tokens.sub(_blot, text)


def _blot(found: re.Match[str]) -> str:
    token = found.group()
    filler = COMMENT if token.startswith(_COMMENT_STARTS) else STRING
    if "\n" not in token:
        return filler * len(token)
    return _VISIBLE.sub(filler, token).replace("\n", INNER_LINE_END)
