from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Chunked

Chunker = Callable[..., Chunked]
BODY = "A sentence that fills the section. " * 8


def test_titles_give_the_path_by_their_marks(chunked: Chunker) -> None:
    text = (
        f"= Guide\n\n{BODY}\n\n== Install ==\n\n{BODY}\n\n=== Linux\n\n{BODY}\n\n## Use\n\n{BODY}\n"
    )
    result = chunked("a.adoc", text)
    assert result.title == "Guide"
    assert result.paths == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Use"),
    ]


def test_titles_may_be_underlined(chunked: Chunker) -> None:
    text = f"Guide\n=====\n\nInstall it\n----------\n\n{BODY}\n\nOn Linux\n~~~~~~~~\n\n{BODY}\n"
    result = chunked("a.adoc", text)
    assert result.title == "Guide"
    assert result.paths == [("Guide", "Install it"), ("Guide", "Install it", "On Linux")]


def test_the_header_of_a_document_belongs_to_its_first_section(chunked: Chunker) -> None:
    text = f"// man\n= fsck(8)\nAnn Lee <ann@x.org>\n:doctype: manpage\n\n== NAME\n\n{BODY}"
    result = chunked("a.adoc", text)
    assert result.paths == [("fsck(8)", "NAME")]
    assert result.contents[0].startswith("// man\n= fsck(8)")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("The `code` of *it*", "The code of it"),
        ("[[id]]See <<part,the part>>", "See the part"),
        ("link:x.html[Link] here", "Link here"),
        ("About {product} and {other}", "About Kit and {other}"),
    ],
)
def test_titles_lose_their_markup(chunked: Chunker, source: str, name: str) -> None:
    text = f"= Book\n:product: Kit\n\n== {source}\n\n{BODY}"
    assert chunked("a.adoc", text).paths == [("Book", name)]


@pytest.mark.parametrize(
    "mark", ["----", "....", "====", "****", "____", "++++", "--", "|===", "////"]
)
def test_a_delimited_block_is_kept_whole_and_holds_no_titles(chunked: Chunker, mark: str) -> None:
    inside = "\n\n".join(f"line {n}" for n in range(12))
    text = f"{BODY}\n\n{mark}\n== no title\n\n{inside}\n{mark}\n\n{BODY}"
    result = chunked("a.adoc", text, target=200, cap=400)
    content = result.holding("line 0").content
    assert content.startswith(mark)
    assert content.endswith(mark)
    assert set(result.paths) == {()}


def test_a_delimiter_that_nothing_closes_opens_nothing(chunked: Chunker) -> None:
    assert chunked("a.adoc", f"....\n\n== Title\n\n{BODY}").paths == [(), ("Title",)]


def test_attributes_anchors_and_captions_belong_to_what_is_below(chunked: Chunker) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(12))
    block = f".Example\n[source,ruby]\n----\n{code}\n----"
    text = f"{BODY}\n\n{block}\n\n[#use]\n[[usage]]\n== Use\n\n{BODY}"
    result = chunked("a.adoc", text, target=300)
    assert result.holding("line_0").content.startswith(".Example\n[source,ruby]\n----")
    assert result.contents[-1].startswith("[#use]\n[[usage]]\n== Use")


def test_a_list_is_split_between_its_outer_items(chunked: Chunker) -> None:
    items = "\n".join(f"* item {n}\n** detail of it\n+\nmore about that\n" for n in range(12))
    contents = chunked("a.adoc", items, target=160).contents
    assert len(contents) > 3
    assert all(content.startswith("* item") for content in contents)


def test_includes_and_conditions_are_text(chunked: Chunker) -> None:
    text = "== One\n\ninclude::other.adoc[]\n\nifdef::x[]\nText\nendif::[]\n"
    assert chunked("a.adoc", text).contents == [text.strip()]
