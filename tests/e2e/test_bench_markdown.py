"""Reading Markdown for what can be asked about."""

from __future__ import annotations

import pytest
from scripts.bench import markdown

_TEXT = """---
title: not a heading
---
# Top [link](https://example.org) #

~~~
# not a heading either
```
~~~

## Example 2: Get **all** `things`

A first sentence of prose. another begins in lower case. The `parse_line` call
ends the _second_ one.

- a list item is not prose.

| a | table |
"""


def test_headings_are_plain_and_outside_fences() -> None:
    assert markdown.headings(_TEXT) == ["Top link", "Get all things"]


def test_paragraphs_are_joined_lines_of_prose() -> None:
    assert markdown.paragraphs(_TEXT) == [
        "A first sentence of prose. another begins in lower case. "
        "The parse_line call ends the second one."
    ]


def test_sentences_begin_with_a_capital_and_end_with_a_full_stop() -> None:
    assert markdown.sentences(_TEXT) == [
        "A first sentence of prose.",
        "The parse_line call ends the second one.",
    ]


def test_identifiers_are_code_spans_that_are_one_name() -> None:
    assert markdown.identifiers(_TEXT + "`two words` `v` `get-item`") == [
        "things",
        "parse_line",
        "get-item",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("![alt](a.png) text", "alt text"),
        ("[see][ref] and [shortcut]", "see and shortcut"),
        ("a <br> b", "a b"),
        ("snake_case stays, _emphasis_ goes", "snake_case stays, emphasis goes"),
    ],
)
def test_marks_are_taken_away(line: str, expected: str) -> None:
    assert markdown.plain(line) == expected
