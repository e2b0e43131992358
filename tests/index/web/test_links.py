"""Where a page leads, and what it says to crawlers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from groundkit_index.web import parse_url
from groundkit_index.web.links import MOST_LINKS, page_links
from groundkit_index.web.tags import start_tags

HERE = parse_url("https://example.org/docs/page.html?x=1")


def links(html: str, **options: str) -> list[str]:
    return [str(url) for url in page_links(html.encode(), HERE, **options).links]


@pytest.mark.parametrize(
    ("reference", "target"),
    {
        "next.html": "https://example.org/docs/next.html",
        "../up/": "https://example.org/up/",
        "/root": "https://example.org/root",
        "//other.org/a": "https://other.org/a",
        "?y=2&amp;z=3": "https://example.org/docs/page.html?y=2&z=3",
        "  spaced out.html\n ": "https://example.org/docs/spaced%20out.html",
        "bro\nken.html": "https://example.org/docs/broken.html",
        "a/./b/../c#part": "https://example.org/docs/a/c",
        "https://example.org:443/a": "https://example.org/a",
        "HTTP://EXAMPLE.org/A": "http://example.org/A",
        "日本": "https://example.org/docs/%E6%97%A5%E6%9C%AC",
    }.items(),
)
def test_links_are_made_whole(reference: str, target: str) -> None:
    assert links(f'<a href="{reference}">x</a>') == [target]


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "#part",
        "page.html?x=1#part",
        "javascript:alert(1)",
        "mailto:a@example.org",
        "tel:1",
        "data:text/html,x",
        "file:///etc/passwd",
        "http://user:secret@example.org/",
        "http://[",
        "\\\\host\\share",
    ],
)
def test_what_is_no_other_page_is_no_link(reference: str) -> None:
    assert links(f'<a href="{reference}">x</a>') == []


def test_links_come_once_in_the_order_of_the_page() -> None:
    html = """
        <a href=c>c</a> <a href=a>a</a> <a href=c#x>c</a> <a>none</a>
        <map><area href=b></map> <iframe src=d></iframe> <img src=e.png>
        <meta http-equiv=Refresh content="0; URL='f'"> <link href=g rel=next> <a href=a>a</a>
    """
    found = [link.rpartition("/")[2] for link in links(html)]
    assert found == ["c", "a", "b", "d", "f"]


def test_links_are_relative_to_the_base() -> None:
    html = '<base target=_top><base href="/v2/"><base href="/v3/"><a href=a>a</a><a href=/b>b</a>'
    assert links(html) == ["https://example.org/v2/a", "https://example.org/b"]
    assert links('<base href="javascript:x"><a href=a>') == ["https://example.org/docs/a"]


def test_nofollow_is_obeyed() -> None:
    assert links('<a href=a rel="noopener NoFollow">a</a><a href=b rel=noopener>b</a>') == [
        "https://example.org/docs/b"
    ]


@pytest.mark.parametrize(
    ("html", "robots", "noindex", "nofollow"),
    [
        ("", "", False, False),
        ("<meta name=robots content='index, follow'>", "", False, False),
        ("<meta name=robots content=noindex>", "", True, False),
        ("<META NAME=ROBOTS CONTENT='NoIndex,NoFollow'>", "", True, True),
        ("<meta name=robots content=none>", "", True, True),
        ("<meta name=groundkit content=noindex>", "", True, False),
        ("<meta name=otherbot content=noindex>", "", False, False),
        ("<meta name=description content=noindex>", "", False, False),
        ("", "noindex", True, False),
        ("", "noindex, nofollow", True, True),
        ("", "otherbot: noindex, nofollow", False, False),
        ("", "otherbot: noindex\nnofollow", False, True),
        ("", "groundkit: noindex", True, False),
        ("", "max-snippet: 20, noindex", True, False),
        ("", "unavailable_after: 25 Jun 2030 15:00:00 PST", False, False),
    ],
)
def test_what_a_page_says_to_crawlers(
    html: str, robots: str, noindex: bool, nofollow: bool
) -> None:
    found = page_links(f"{html}<a href=a>a</a>".encode(), HERE, robots=robots)
    assert found.noindex == noindex
    assert (not found.links) == nofollow


def test_the_canonical_address_is_found() -> None:
    html = b"<link rel='alternate canonical' href=page.html#x><link rel=canonical href=other>"
    assert str(page_links(html, HERE).canonical) == "https://example.org/docs/page.html"
    assert page_links(b"<link rel=canonical href='mailto:x'>", HERE).canonical is None
    assert page_links(b"<link rel=stylesheet href=x.css>", HERE).canonical is None


def test_the_charset_of_the_page_counts() -> None:
    html = '<a href="/日">x</a>'
    found = page_links(html.encode("shift_jis"), HERE, charset="shift_jis")
    assert [str(link) for link in found.links] == ["https://example.org/%E6%97%A5"]
    for unknown in ("nonsense", "hex", "rot13", "idna\0"):
        assert len(page_links(html.encode(), HERE, charset=unknown).links) == 1


def test_a_page_of_links_ends(stopwatch: Callable[[], float]) -> None:
    html = "".join(f"<a href={n}>" for n in range(MOST_LINKS + 5_000))
    assert len(links(html)) == MOST_LINKS
    assert stopwatch() < 5


HOSTILE = {
    "nothing": "",
    "no text": "\0\ufffd\ufffe",
    "open brackets": "<" * 500_000,
    "deep": "<div>" * 200_000,
    "reconstructed": "<p>" + "<font color=x>" * 20_000 + "<p>x" * 20_000,
    "open tags": "<a " * 200_000,
    "open quotes": "<a x='" * 100_000 + '<b y="' * 100_000,
    "open comments": "<!--" * 100_000,
    "open declarations": "<![" * 100_000 + "<?" * 100_000,
    "open scripts": "<script>" * 100_000,
    "open ends": "</" * 100_000 + "</a " * 100_000,
    "blanks": "<a" + " " * 500_000 + "=" + " " * 500_000,
    "one tag of attributes": "<a " + "b=c " * 200_000 + ">",
    "references": "<a href='" + "&" * 500_000 + "x'>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_page_is_read_in_time(html: str, stopwatch: Callable[[], float]) -> None:
    assert links(html) == []
    assert stopwatch() < 5


@pytest.mark.parametrize(
    "html",
    [
        "<!-- <a href=a> --><a href=b>",
        "<!--><a href=b>",
        "<!---><a href=b>",
        "<!-- x --!><a href=b>",
        "<!doctype html><a href=b>",
        "<?xml version='1.0'?><a href=b>",
        "<script>'<a href=a>'</script><a href=b>",
        "<SCRIPT>'</scripted><a href=a>'</Script ><a href=b>",
        "<style><a href=a></style><a href=b>",
        "<textarea><a href=a></textarea><a href=b>",
        "<title><a href=a></title><a href=b>",
        "<p title='<a href=a>'><a href=b>",
        "</p title='<a href=a>'><a href=b>",
        "<abbr href=a><a href=b>",
        "1 < 2 <a href=b>",
        "<a href=b",
        "<a href='b",
        "<a href=b>",
        "<A HREF = 'b'>",
        '<a\nclass=x\thref="b"/>',
        "<a/href=b>",
        "<a x=1 =y href=b href=a>",
        "<plaintext><a href=a>",
    ],
)
def test_tags_are_read_as_browsers_read_them(html: str) -> None:
    parsed = [node.attributes.get("href") for node in LexborHTMLParser(html).css("a[href]")]
    expected = [f"https://example.org/docs/{reference}" for reference in parsed]
    assert links(html) == expected
    assert set(parsed) <= {"b"}


@pytest.mark.parametrize(
    "reference",
    [
        "?a=1&amp;copy=2",
        "?a=1&copy=2",
        "?a=1&copy;2",
        "?a&copy",
        "?a&copy2",
        "?a=1&ampb=2",
        "?a=1&lt=2&reg=3&sect;=4",
        "?a&#38;b&#x26;c&#38d",
        "?a&nonsense;b&;&#;&#x;",
        "?&notin;&notit;&not",
        "?&#0;&#128;&#x110000;",
    ],
)
def test_character_references_are_read_as_browsers_read_them(reference: str) -> None:
    html = f'<a href="{reference}">x</a>'
    node = LexborHTMLParser(html).css_first("a")
    assert node is not None
    tags = list(start_tags(html, {"a"}))
    assert tags == [("a", {"href": node.attributes.get("href")})]
