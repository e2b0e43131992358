"""What definitions look like in each language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from groundkit_core.chunking.code import masking

Scoping = Literal["braces", "indent", "statement"]


@dataclass(frozen=True, slots=True)
class Language:
    """How definitions are found in a masked line; the groups of a pattern give the name.

    Attributes:
        tokens: strings and comments.
        scoping: what ends a definition: its closing brace, a line that is indented no
            deeper, or a semicolon.
        containers: definitions that hold others, such as classes.
        functions: definitions that are found anywhere.
        members: definitions that are found only directly inside a container.
    """

    tokens: re.Pattern[str]
    scoping: Scoping
    containers: re.Pattern[str] | None = None
    functions: re.Pattern[str] | None = None
    members: re.Pattern[str] | None = None


def _line(pattern: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(rf"[ \t]*+(?:{pattern})", flags)


_NO_KEYWORD = (
    r"(?!(?:if|for|foreach|while|switch|catch|return|else|do|new|throw|using|lock|function|await|"
    r"sizeof|synchronized|with|super|this|case|delete|typeof)\b)"
)
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|inline|"
    r"override|virtual|async|partial|readonly|export|default|declare|inner|companion|suspend|"
    r"implicit|lazy|case|strictfp|synchronized|native|unsafe|extern|fileprivate|mutating|"
    r"indirect|actual|expect|operator|infix|tailrec|external|value|annotation|convenience|"
    r"required|class(?=\s+func))\s+)*+"
)
_TYPED_MEMBER = (
    rf"{_NO_KEYWORD}{_MODIFIERS}(?:<[^<>()]*+(?:<[^<>()]*+>[^<>()]*+)*+>\s*)?{_NO_KEYWORD}"
    rf"(?:[\w.]+(?:<[^()=;{{]*>)?(?:\[\])*+\??\s+)?{_NO_KEYWORD}(\w+)\s*\([^;{{]*(?:\{{|$)"
)
_C_FUNCTION = (
    rf"(?<![ \t]){_NO_KEYWORD}(?!typedef|static_assert|using)(?:[\w:<>,*&~]+\s+)+[*&]*"
    r"((?:\w+::)*~?\w+)\s*\([^;={]*(?:\{|$)"
)
_C_MEMBER = rf"{_NO_KEYWORD}(?:[\w:<>,*&]+\s+)*?[*&]*{_NO_KEYWORD}(~?\w+)\s*\([^;={{]*\)[^;={{]*\{{"

_C_LIKE_TYPES = (
    rf"{_MODIFIERS}(?:class|interface|@interface|enum|record|struct|object|trait|namespace|"
    r"protocol|extension|mixin)\s+(?:class\s+|struct\s+)?([\w.]+)"
)
_JAVA = Language(
    masking.C_TOKENS, "braces", containers=_line(_C_LIKE_TYPES), members=_line(_TYPED_MEMBER)
)
_JAVASCRIPT = Language(
    masking.JAVASCRIPT_TOKENS,
    "braces",
    containers=_line(rf"{_MODIFIERS}(?:class|interface|enum|namespace|module)\s+([\w$.]+)"),
    functions=_line(
        rf"{_MODIFIERS}function\s*\*?\s*([\w$]+)|{_MODIFIERS}type\s+([\w$]+)\s*(?:<[^=]*+>)?\s*=|"
        r"(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=\n]*+)?=\s*"
        r"(?:async\b\s*)?(?:function\b|[\w$]+\s*=>|(?:<[^<>]*+>\s*)?\([^()\n]*+\)\s*(?::[^=\n]*+)?=>)"
    ),
    members=_line(
        rf"(?:(?:public|private|protected|static|async|override|readonly|get|set|abstract)\s+)*+"
        rf"{_NO_KEYWORD}\*?(#?[\w$]+)\s*(?:<[^()]*>)?\([^;{{]*(?:\{{|$)"
    ),
)
_C = Language(
    masking.C_TOKENS,
    "braces",
    containers=_line(
        r"(?:typedef\s+)?(?:class|struct|union|enum(?:\s+class)?|namespace)\s+"
        r"(?:[A-Z_]+\s+)?([\w:]+)(?=[^;()=]*(?:\{|$))"
    ),
    functions=_line(_C_FUNCTION),
    members=_line(_C_MEMBER),
)
_KOTLIN_LIKE = Language(
    masking.CHAR_TOKENS,
    "braces",
    containers=_line(_C_LIKE_TYPES),
    functions=_line(
        rf"{_MODIFIERS}(?:fun|func|def)\s+(?:<[^<>]*+>\s*)?(?:[\w<>,?]+\.)?`?(\w+)|{_MODIFIERS}(init)\b(?=\s*[?(])"
    ),
)

LANGUAGES: dict[str, Language] = {
    "bash": Language(
        masking.SHELL_TOKENS,
        "braces",
        functions=_line(r"(?:function\s+)?([\w:.-]+)\s*\(\s*\)|function\s+([\w:.-]+)"),
    ),
    "c": _C,
    "clojure": Language(
        masking.SEMICOLON_TOKENS, "indent", functions=re.compile(r"\((?:def[\w-]*|ns)\s+([^\s()]+)")
    ),
    "cpp": _C,
    "csharp": _JAVA,
    "dart": _JAVA,
    "elixir": Language(
        masking.PYTHON_TOKENS,
        "indent",
        containers=_line(r"(?:defmodule|defimpl|defprotocol)\s+([\w.]+)"),
        functions=_line(r"(?:def|defp|defmacro|defmacrop)\s+([\w?!]+)"),
    ),
    "go": Language(
        masking.GO_TOKENS,
        "braces",
        containers=re.compile(r"type\s+(\w+)(?:\[[^\]]*\])?\s+(?:struct|interface)\b"),
        functions=re.compile(
            r"func\s+(?:\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*)?(\w+)|type\s+(\w+)\s"
        ),
    ),
    "graphql": Language(
        masking.HASH_TOKENS,
        "braces",
        functions=_line(r"(?:extend\s+)?(?:type|input|interface|union|enum|scalar|query)\s+(\w+)"),
    ),
    "groovy": _JAVA,
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "julia": Language(
        masking.PYTHON_TOKENS,
        "indent",
        containers=_line(r"(?:mutable\s+)?(?:module|struct|abstract\s+type)\s+(\w+)"),
        functions=_line(r"(?:function|macro)\s+([\w.!]+)"),
    ),
    "just": Language(
        masking.HASH_TOKENS, "indent", functions=re.compile(r"@?([A-Za-z_][\w-]*)[^:=\n]*:(?!=)")
    ),
    "kotlin": _KOTLIN_LIKE,
    "lua": Language(
        masking.LUA_TOKENS, "indent", functions=_line(r"(?:local\s+)?function\s+([\w.:]+)")
    ),
    "makefile": Language(
        masking.HASH_TOKENS,
        "indent",
        functions=re.compile(r"([\w/%$(){}-][\w./%$(){}-]*)[^:=\n]*::?(?!=)"),
    ),
    "perl": Language(
        masking.HASH_TOKENS,
        "braces",
        functions=_line(r"sub\s+(\w+)"),
    ),
    "php": Language(
        masking.PHP_TOKENS,
        "braces",
        containers=_line(_C_LIKE_TYPES),
        functions=_line(rf"{_MODIFIERS}function\s+&?(\w+)"),
    ),
    "powershell": Language(
        masking.HASH_TOKENS,
        "braces",
        containers=_line(r"(?:class|enum)\s+(\w+)", re.IGNORECASE),
        functions=_line(r"(?:function|filter)\s+([\w:-]+)", re.IGNORECASE),
    ),
    "proto": Language(
        masking.C_TOKENS, "braces", containers=_line(r"(?:message|service|enum|oneof)\s+(\w+)")
    ),
    "python": Language(
        masking.PYTHON_TOKENS,
        "indent",
        containers=_line(r"class\s+(\w+)"),
        functions=_line(r"(?:async\s+)?def\s+(\w+)"),
    ),
    "r": Language(
        masking.HASH_TOKENS, "braces", functions=_line(r"([\w.]+)\s*(?:<-|=)\s*function\b")
    ),
    "ruby": Language(
        masking.HASH_TOKENS,
        "indent",
        containers=_line(r"(?:class|module)\s+([A-Z][\w:]*)"),
        functions=_line(r"(?:private\s+|protected\s+)?def\s+((?:self\.)?[\w?!=]+)"),
    ),
    "rust": Language(
        masking.CHAR_TOKENS,
        "braces",
        containers=_line(
            r"(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:trait|mod)\s+(\w+)|"
            r"(?:unsafe\s+)?impl\b(?:<(?:[^<>]|<[^<>]*>)*+>)?\s*(?:[^{;]*?\bfor\s+)?&?(?:\w+::)*(\w+)"
        ),
        functions=_line(
            r"(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern(?:\s+\x02+)?)\s+)*"
            r"(?:fn|struct|enum|union|type|macro_rules!)\s+(\w+)"
        ),
    ),
    "scala": _KOTLIN_LIKE,
    "sql": Language(
        masking.SQL_TOKENS,
        "statement",
        functions=_line(
            r"CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:\w+\s+){0,3}?(?:TABLE|VIEW|INDEX|FUNCTION|"
            r"PROCEDURE|TRIGGER|TYPE|SCHEMA|SEQUENCE|DATABASE|EXTENSION|DOMAIN|ROLE|POLICY)\s+"
            r"(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?([\w.\"`\[\]]+)",
            re.IGNORECASE,
        ),
    ),
    "swift": _KOTLIN_LIKE,
    "terraform": Language(
        masking.PHP_TOKENS,
        "braces",
        functions=re.compile(
            r"((?:resource|data|module|variable|output|provider|locals|terraform|moved|import|"
            r"check)\b[\x02 \t]*+)\{"
        ),
    ),
    "typescript": _JAVASCRIPT,
    "zig": Language(
        masking.C_TOKENS,
        "braces",
        functions=_line(r"(?:pub\s+)?(?:export\s+|inline\s+)?fn\s+(\w+)"),
        containers=_line(
            r"(?:pub\s+)?const\s+(\w+)\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union)\b"
        ),
    ),
}
