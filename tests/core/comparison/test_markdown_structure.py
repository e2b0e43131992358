"""The Markdown scanner beside markdown-it-py: the same headings and fences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from groundkit_core.chunking.markdown.scanner import scan
from groundkit_core.text import unify_newlines

Heading = tuple[int, int, str]
Fence = tuple[int, int]
PARSER = MarkdownIt("commonmark").enable("table")


def one_line(text: str) -> str:
    return " ".join(text.split())


def expected(text: str) -> tuple[list[Heading], list[Fence]]:
    tokens = PARSER.parse(text)
    headings, fences = [], []
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.map:
            text = tokens[number + 1].content
            headings.append((token.map[0], int(token.tag[1]), one_line(text)))
        elif token.type == "fence" and token.map:
            fences.append((token.map[0], token.map[1]))
    return headings, fences


def found(text: str) -> tuple[list[Heading], list[Fence]]:
    outline = scan(unify_newlines(text).removesuffix("\n").split("\n"))
    headings = [(item.line, item.level, one_line(item.text)) for item in outline.headings]
    return headings, outline.fences


CASES = {
    "atx levels": "# a\n## b\n###### c\n####### d\n#e\n#\n## \n",
    "atx closings": "# a #\n## b ##   \n# c#\n# d \\#\n### ###\n# #\n",
    "atx indentation": " # a\n  # b\n   # c\n    # d\n",
    "atx in a paragraph": "text\n# a\ntext\n",
    "atx with tabs": "#\ta\n##\tb\t##\n",
    "setext": "a\n=\nb\n-----\n",
    "setext of lines": "a\nb\nc\n===\n",
    "setext indentation": "a\n   ===\nb\n    ===\n",
    "setext after a blank line": "a\n\n===\n\nb\n\n---\n",
    "setext in a quote": "> a\n> ===\n> b\n===\n",
    "setext after lazy lines": "> a\nb\n===\n",
    "setext in a list": "- a\n  ===\n- b\n===\n",
    "no setext of a list": "- a\n---\n",
    "no setext under code": "    a\n---\n",
    "setext under a definition": "[a]: /b\n===\n\n[a]: /b 'c'\ntext\n---\n",
    "setext under definitions": "[a]: /b\n[c]:\n  <d e>\n(f)\ng\n===\n",
    "not quite definitions": "[a] : b\n===\n\n[a]: b c\n===\n\n[]: b\n===\n",
    "crlf": "a\r\n===\r\n\r\n# b\r\n```\r\n# c\r\n```\r\n",
    "lone cr": "a\r===\r\r# b\r```\r# c\r```\r",
    "fences": "```\n# a\n```\n~~~ x `y`\n# b\n~~~\n``` x`y\n# c\n",
    "fence lengths": "````\n```\n`````\n# a\n",
    "fence characters": "```\n~~~\n```\n~~~\n```\n~~~\n",
    "fence indentation": "   ```\n   ```\n```\n    ```\n```\n",
    "fence closings": "```\n``` x\n```  \n# a\n",
    "fence without end": "# a\n```\n# b\n",
    "fence in a paragraph": "text\n```\n# a\n```\ntext\n",
    "fence in a list": "- ```\n  # a\n\n  b\n  ```\n- # c\n",
    "fence that its list ends": "- ```\n  # a\n# b\n",
    "fence that its quote ends": "> ```\n> # a\n# b\n",
    "fence in nested containers": "1. > - ```\n   >   # a\n   >   ```\n   > # b\n",
    "fence after a wide marker": "10. ```\n    # a\n    ```\n",
    "fence less indented than its item": "-   ```\n  # a\n",
    "comments": "<!-- # a\n# b\n\n# c -->\n# d\n",
    "html blocks": "<div>\n# a\n\n# b\n</div>\n# c\n\n# d\n",
    "raw html": "<pre>\n# a\n\n# b\n</pre>\n# c\n<script>x</script>\n# d\n",
    "inline html": "text\n<b>\n# a\n\n<b>\n# b\n\n<b> c\n# d\n",
    "declarations": "<!DOCTYPE html>\n# a\n<?php\n# b\n?>\n# c\n<![CDATA[\n# d\n]]>\n# e\n",
    "html in a quote": "> <div>\n> # a\n# b\n",
    "lists": "- # a\n  - ## b\n\n    c\n    ---\n* # d\n+ # e\n1. # f\n2) # g\n",
    "list indentation": " - a\n  - # b\n   - # c\n    - # d\n",
    "list interruptions": "a\n2. # b\n\na\n1. # c\n\na\n-\n# d\n",
    "empty items": "-\n  # a\n\n-\n\n  # b\n- \n# c\n",
    "items that start with code": "-     # a\n\n  # b\n",
    "items with tabs": "-\t# a\n\n\t# b\n\n\t\t# c\n1.\t```\n\t# d\n\t```\n",
    "big numbers": "123456789. # a\n1234567890. # b\n",
    "quotes": "># a\n> # b\n>  # c\n>     # d\n   > # e\n\n    > # f\n",
    "quotes with tabs": ">\t# a\n>\t\t# b\n",
    "lazy quotes": "> a\n# b\n> c\n- # d\n",
    "indented code": "    # a\n\n    ```\n\ttext\n# b\n",
    "no code in a paragraph": "a\n    # b\n    ===\n",
    "breaks": "a\n\n---\n# b\n***\n* * *\n- - -\n# c\n__ _\n",
    "break instead of a list": "- a\n* * *\n# b\n",
    "tables": "| a | b |\n|---|---|\n| # c | d |\n# e\n\na | b\n--- | ---\nc\n===\n",
    "table of one column": "| a |\n|---|\n\n| a |\n---\n",
    "no table": "a | b\n---\n\na\n|---|---|\n\na | b | c\n--- | ---\n===\n",
    "table with escaped pipes": "a \\| b | c\n--- | ---\n# d\n",
    "table in a list": "- a | b\n  --- | ---\n  c | d\n  # e\n",
    "table after text": "text\na | b\n--- | ---\nc | d\n\n# e\n",
}


@pytest.mark.parametrize("name", CASES)
def test_hand_written_cases_agree(name: str) -> None:
    assert found(CASES[name]) == expected(CASES[name])


LEAVES = st.sampled_from(
    [
        "text",
        "text `code` *em*\nmore text",
        "# heading",
        "## heading ##",
        "######",
        "under\n===",
        "two\nlines\n---",
        "```\n# code\n\n  more\n```",
        "~~~~ py\n~~~\n# code\n~~~~~",
        "    # indented",
        "\tindented\n\n\tmore",
        "| a | b |\n|---|:-:|\n| c | d |",
        "<div>\n# html\n</div>",
        "<!-- # note -->",
        "***",
        "- - -",
        "[label]: /target 'title'",
        "1986\\. A great year",
        "#hashtag",
        "-not a list",
    ]
)
MARKERS = st.sampled_from(["- ", "* ", "+   ", "1. ", "27) ", "> ", ">"])
GAPS = st.sampled_from(["\n\n", "\n\n", "\n\n\n", "\n \n"])


def nested(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(within, MARKERS, st.lists(blocks, min_size=1, max_size=3), GAPS)


def within(marker: str, blocks: list[str], gap: str) -> str:
    """Puts blocks into a list item or a quote."""
    rest = marker if marker.startswith(">") else " " * len(marker)
    lines = gap.join(blocks).split("\n")
    return "\n".join(
        f"{marker if number == 0 else rest}{line}".rstrip(" ") if line.strip() else rest.rstrip()
        for number, line in enumerate(lines)
    )


BLOCKS = st.recursive(LEAVES, nested, max_leaves=5)
DOCUMENTS = st.lists(st.tuples(BLOCKS, GAPS), max_size=7).map(
    lambda parts: "".join(block + gap for block, gap in parts)
)
PREFIXES = ["", "", "", " ", "  ", "   ", "> ", ">", "- ", "> > ", "  - ", "1. "]
STARTS = [
    *("text", "# h", "## h ##", "#", "#no", "===", "=", "---", "--", "-", "***", "- - -"),
    *("* a", "+ c", "2. y", "10) z", ">", "```", "```py", "~~~", "````", "<div>", "</div>"),
    *("<!-- c", "-->", "<b>", "<pre>", "</pre>", "<?php", "?>", "", ""),
]
LINES = st.lists(st.tuples(st.sampled_from(PREFIXES), st.sampled_from(STARTS)), max_size=9).map(
    lambda lines: "".join(f"{prefix}{line}\n" for prefix, line in lines) + "end\n"
)


@given(DOCUMENTS)
@settings(deadline=None, max_examples=150, derandomize=True)
def test_generated_documents_agree(text: str) -> None:
    assert found(text) == expected(text)


@given(LINES)
@settings(deadline=None, max_examples=250, derandomize=True)
def test_lines_in_any_order_agree(text: str) -> None:
    assert found(text) == expected(text)


@given(DOCUMENTS)
@settings(deadline=None, max_examples=50, derandomize=True)
def test_line_ends_change_nothing(text: str) -> None:
    assert found(text.replace("\n", "\r\n")) == found(text) == found(text.replace("\n", "\r"))
