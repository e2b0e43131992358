from __future__ import annotations

from collections.abc import Callable

from .conftest import Chunked

Chunker = Callable[..., Chunked]


def test_paragraphs_are_gathered_up_to_the_target(chunked: Chunker) -> None:
    paragraphs = [f"Paragraph {n}. {'Word ' * 15}".strip() for n in range(9)]
    contents = chunked("a.txt", "\n\n".join(paragraphs), target=250).contents
    assert all(len(content) <= 250 for content in contents)
    assert len(contents) < len(paragraphs)
    assert "\n\n".join(contents).split("\n\n") == paragraphs


def test_a_paragraph_between_target_and_cap_is_whole(chunked: Chunker) -> None:
    text = f"Short.\n\n{'One sentence here. ' * 15}\n\nShort."
    assert "Short" not in chunked("a.txt", text, target=200).contents[1]
    assert len(chunked("a.txt", text, target=200).contents[1]) > 200


def test_long_paragraphs_are_split_between_sentences_then_words(chunked: Chunker) -> None:
    sentences = chunked("a.txt", "Is it so? It is so! " * 40, target=100).contents
    assert all(content.endswith(("?", "!")) for content in sentences)
    words = chunked("a.txt", "word " * 200, target=100).contents
    assert all(set(content.split()) == {"word"} for content in words)


def test_a_word_longer_than_the_cap_is_cut_hard(chunked: Chunker) -> None:
    contents = chunked("a.txt", "x" * 1000, target=100).contents
    assert "".join(contents) == "x" * 1000
    assert max(map(len, contents)) <= 200


def test_a_rest_that_fits_the_cap_makes_no_tiny_chunk(chunked: Chunker) -> None:
    text = "Eleven chars and so on. " * 18
    assert min(map(len, chunked("a.txt", text, target=200).contents)) > 50


def test_plain_text_has_no_title_and_path(chunked: Chunker) -> None:
    result = chunked("a.txt", "Title\n=====\n\nText.")
    assert result.title == ""
    assert result.paths == [()]
