from __future__ import annotations

import time

import pytest

from groundkit_core.chunking import chunk
from groundkit_core.kinds import Kind

MANY = 20_000
SECONDS = 10.0
"""CPU time; what is linear takes less than one, what is quadratic takes minutes."""

MARKDOWN = {
    "one line": "word " * 200_000,
    "one word": "x" * 1_000_000,
    "one cjk line": "漢字。" * 300_000,
    "headings": "# a\n" * MANY,
    "underlines": "a\n===\n" * MANY,
    "nested quotes": "> " * 100_000 + "x",
    "nested lists": "* " * 100_000 + "x",
    "nested quotes on lines": (">" * 60 + " a\n") * 2_000,
    "unclosed fence": "```\n" + "code\n" * MANY,
    "fences": "```\n" * MANY,
    "unclosed comment": "<!-- " * MANY,
    "unclosed tag": "<a " + "b " * 200_000,
    "references": "[a]: b\n" * MANY + "===\n" * MANY,
    "open reference titles": "[a]: b (\n" * MANY + "===\n",
    "tables": "|a|b|\n|-|-|\n" * MANY,
    "blank lines": "\n" * 1_000_000,
    "blanks": " " * 1_000_000 + "x",
    "marks": "a" + "\u0301" * 300_000,
    "emphasis in headings": ("# " + "*a" * 90 + "\n") * 2_000,
    "brackets in headings": ("# " + "[a](" * 50 + "\n") * 2_000,
}
OTHERS = [
    ("rst", None, "a\n=\n\n" * MANY),
    ("rst", None, "=\n" * MANY * 3),
    ("text", None, "a.\"'" * 200_000),
    ("config", "json", "{" + ",".join(f'"k{n}":{n}' for n in range(MANY)) + "}"),
    ("config", "json", "[" * 300_000),
    ("config", "json", '{"a" ' * MANY),
    ("config", "yaml", "# c\n" * MANY + "a: b\n" * MANY),
    ("config", "toml", "[a]\n" * MANY),
    ("code", "python", "def f():\n pass\n" * MANY),
    ("code", "python", "".join(" " * min(n, 50) + f"def f{n}():\n" for n in range(MANY))),
    ("code", "python", '"""a' * MANY),
    ("code", "javascript", "class A {\n" * MANY),
    ("code", "javascript", "/*" * 200_000),
    ("code", "cpp", ("a " * 99 + "\n") * 1_000),
    ("code", "java", ("a<" * 99 + "(\n") * 1_000),
    ("code", "rust", "{" * 300_000),
]


def assert_bounded(text: str, kind: Kind) -> None:
    started = time.process_time()
    spans = chunk(text, kind).spans
    assert time.process_time() - started < SECONDS
    assert all(span.end - span.start <= 2000 for span in spans)


@pytest.mark.parametrize("name", MARKDOWN)
def test_markdown_takes_linear_time(name: str) -> None:
    assert_bounded(MARKDOWN[name], Kind("markdown"))


@pytest.mark.parametrize(("name", "language", "text"), OTHERS, ids=range(len(OTHERS)))
def test_other_kinds_take_linear_time(name: str, language: str | None, text: str) -> None:
    assert_bounded(text, Kind(name, language))  # type: ignore[arg-type]
