from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Chunked

Chunker = Callable[..., Chunked]
BODY = "A sentence that fills the section. " * 8


def test_titles_give_the_path_by_order_of_their_styles(chunked: Chunker) -> None:
    text = (
        f"=====\nGuide\n=====\n\n{BODY}\n\nInstall\n=======\n\n{BODY}\n\n"
        f"Linux\n~~~~~\n\n{BODY}\n\nUse\n===\n\n{BODY}\n"
    )
    result = chunked("a.rst", text)
    assert result.title == "Guide"
    assert result.paths == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Use"),
    ]
    assert result.contents[0].startswith("=====\nGuide")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("The ``code`` of *it*", "The code of it"),
        ("See :ref:`the part <label>`", "See the part"),
        ("`Link <https://x.y>`_ here", "Link here"),
    ],
)
def test_titles_lose_their_markup(chunked: Chunker, source: str, name: str) -> None:
    assert chunked("a.rst", f"{source}\n{'=' * 60}\n\n{BODY}").title == name


@pytest.mark.parametrize(
    "text",
    [
        "Para\n\n-----\n\nAfter a transition.",
        "Text\n..\n",
        "First line\nsecond line\n===========\n",
        "=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n",
        "Code::\n\n    Title\n    =====\n",
    ],
)
def test_other_lines_of_punctuation_are_no_titles(chunked: Chunker, text: str) -> None:
    result = chunked("a.rst", text)
    assert result.title == ""
    assert result.paths == [()]


def test_a_short_underline_counts_from_four_characters_on(chunked: Chunker) -> None:
    assert chunked("a.rst", f"A long title\n====\n\n{BODY}").title == "A long title"


@pytest.mark.parametrize("announcement", ["Run this::", ".. code-block:: python"])
def test_a_literal_block_is_not_split(chunked: Chunker, announcement: str) -> None:
    code = "\n\n".join(f"    line_{n} = {n}" for n in range(12))
    text = f"{BODY}\n\n{announcement}\n\n{code}\n\n{BODY}"
    content = chunked("a.rst", text, target=200, cap=400).holding("line_0").content
    assert content.startswith(announcement)
    assert content.endswith("line_11 = 11")


def test_a_title_without_text_joins_the_section_below(chunked: Chunker) -> None:
    result = chunked("a.rst", f"Guide\n=====\n\nInstall\n-------\n\n{BODY}")
    assert result.paths == [("Guide", "Install")]


def test_paragraphs_are_gathered_up_to_the_target(chunked: Chunker) -> None:
    paragraphs = [f"Paragraph {n}. {'Word ' * 15}".strip() for n in range(9)]
    contents = chunked("a.rst", "\n\n".join(paragraphs), target=250).contents
    assert all(len(content) <= 250 for content in contents)
    assert "\n\n".join(contents).split("\n\n") == paragraphs
