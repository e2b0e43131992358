"""Sitemaps in all their forms, and the addresses they list."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from tests.index.web.sites import Site

from groundkit_index.web import Fetcher, Url
from groundkit_index.web.decoding import NotDecodableError, TooLargeError
from groundkit_index.web.media import is_document_or_gzip
from groundkit_index.web.sitemap import Problem, expand_sitemap, read_sitemap

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*places: str) -> str:
    entries = "".join(f"<url><loc>{place}</loc><lastmod>x</lastmod></url>" for place in places)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACE}>{entries}</urlset>'


def index(*places: str) -> str:
    entries = "".join(f"<sitemap><loc>{place}</loc></sitemap>" for place in places)
    return f"<sitemapindex {NAMESPACE}>{entries}</sitemapindex>"


def locations(body: str | bytes, path: str = "/sitemap.xml") -> tuple[str, ...]:
    found = read_sitemap(body.encode() if isinstance(body, str) else body, path=path)
    assert found is not None
    return found.locations


def expanded(
    site: Site, fetcher: Fetcher, within: Callable[[Url], bool] = lambda _: True
) -> tuple[list[str], list[str]]:
    """Return the paths that the sitemap of a site lists, and the reasons of its problems."""

    def get(url: str | Url) -> object:
        return fetcher.get(url, accepts=is_document_or_gzip)

    first = fetcher.get(site.url("/sitemap.xml"), accepts=is_document_or_gzip)
    sitemap = read_sitemap(first.body)
    assert sitemap is not None
    entries = list(expand_sitemap(first, sitemap, get, within))  # type: ignore[arg-type]
    urls = [entry.target for entry in entries if isinstance(entry, Url)]
    return urls, [entry.reason for entry in entries if isinstance(entry, Problem)]


@pytest.mark.parametrize(
    "body",
    [
        urlset("https://example.org/a", "https://example.org/b?x=1&amp;y=2"),
        "\ufeff" + urlset("https://example.org/a", "\n https://example.org/b?x=1&amp;y=2 \n"),
        urlset("https://example.org/a", "<![CDATA[https://example.org/b?x=1&y=2]]>"),
        urlset("https://example.org/a", "https://example.org/b?x=1&amp;y=2").encode("utf-16"),
        gzip.compress(
            urlset("https://example.org/a", "https://example.org/b?x=1&#38;y=2").encode()
        ),
        '<?xml-stylesheet href="x"?><!-- by a > machine --><s:urlset xmlns:s="x"><s:url><s:loc>'
        "https://example.org/a</s:loc></s:url><s:url><s:loc>https://example.org/b?x=1&amp;y=2"
        "</s:loc></s:url></s:urlset>",
    ],
)
def test_a_sitemap_lists_addresses(body: str | bytes) -> None:
    if isinstance(body, bytes) and body.startswith(b"\xff\xfe"):
        body = body.replace("UTF-8".encode("utf-16-le"), "UTF-16".encode("utf-16-le"))
    assert locations(body) == ("https://example.org/a", "https://example.org/b?x=1&y=2")


def test_addresses_of_images_are_not_pages() -> None:
    body = urlset(
        "https://example.org/a</loc><image:image><image:loc>https://example.org/i.png"
        "</image:loc></image:image><loc>https://example.org/b"
    ).replace("<urlset ", '<urlset xmlns:image="i" ')
    assert locations(body) == ("https://example.org/a", "https://example.org/b")


def test_a_plain_list_is_a_sitemap_when_its_name_says_so() -> None:
    body = "\ufeffhttps://example.org/a\r\nhttps://example.org/b\n"
    both = ("https://example.org/a", "https://example.org/b")
    assert locations(body, "/sitemap.txt") == both
    assert locations(gzip.compress(body.encode()), "/sitemap.txt.gz") == both
    assert read_sitemap(body.encode(), path="/notes") is None
    assert read_sitemap(b"Read https://example.org/a first", path="/notes.txt") is None
    assert read_sitemap(b"", path="/empty.txt") is None


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html><body><pre>&lt;urlset&gt;</pre></body></html>",
        "<html><urlset></urlset></html>",
        "A sitemap begins with <urlset xmlns='x'>",
        "<rss><channel/></rss>",
        "<!-- <urlset> -->",
        "<!-- --> " * 1000,
        "<?x ?>" * 1000,
    ],
)
def test_other_documents_are_no_sitemaps(body: str, stopwatch: Callable[[], float]) -> None:
    assert read_sitemap(body.encode()) is None
    assert stopwatch() < 2


def test_a_broken_sitemap_lists_what_comes_before() -> None:
    found = read_sitemap(urlset("https://example.org/a", "https://example.org/b").encode()[:-30])
    assert found is not None
    assert found.broken
    assert found.locations[0] == "https://example.org/a"


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE urlset SYSTEM "http://10.0.0.1/x.dtd">',
    ],
)
def test_a_document_type_is_not_taken(doctype: str) -> None:
    body = urlset("https://example.org/&b;&x;").replace("?>\n", f"?>{doctype}")
    assert read_sitemap(body.encode()) is None


def test_entities_cannot_be_declared_after_the_root_was_seen() -> None:
    body = f"<urlset {NAMESPACE}><url><loc>https://example.org/&xxe;</loc></url></urlset>"
    found = read_sitemap(body.encode())
    assert found is not None
    assert found.broken
    assert found.locations == ()


def test_elements_nest_only_so_deep() -> None:
    found = read_sitemap(b"<urlset>" + b"<url>" * 1_000_000)
    assert found is not None
    assert found.broken


def test_a_sitemap_has_fifty_thousand_entries_at_most() -> None:
    found = read_sitemap(urlset(*(f"https://example.org/{n}" for n in range(50_001))).encode())
    assert found is not None
    assert found.cut
    assert len(found.locations) == 50_000


def test_a_packed_sitemap_that_is_broken_or_a_bomb_is_refused() -> None:
    packed = gzip.compress(urlset("https://example.org/a").encode())
    with pytest.raises(NotDecodableError):
        read_sitemap(packed[:-10])
    with pytest.raises(TooLargeError):
        read_sitemap(gzip.compress(bytes(65 * 2**20), compresslevel=1))


def test_an_index_is_followed_in_its_order(site: Site, fetcher: Fetcher) -> None:
    site.put("/sitemap.xml", index("/two.xml.gz", site.url("/one.xml"), "/list.txt"))
    site.put("/two.xml.gz", gzip.compress(urlset("/d", "/c").encode()), type="application/x-gzip")
    site.put("/one.xml", urlset(site.url("/a"), site.url("/d")), type="application/xml")
    site.put("/list.txt", site.url("/z"), type="text/plain")
    assert expanded(site, fetcher) == (["/d", "/c", "/a", "/z"], [])


def test_an_index_nests_three_deep_and_not_in_a_circle(site: Site, fetcher: Fetcher) -> None:
    site.put("/sitemap.xml", index("/2.xml"))
    site.put("/2.xml", index("/3.xml", "/sitemap.xml", "/2.xml"))
    site.put("/3.xml", urlset("/a"))
    assert expanded(site, fetcher) == (["/a"], [])
    site.put("/3.xml", index("/4.xml"))
    assert expanded(site, fetcher) == ([], ["over_limit"])
    assert site.paths.count("/4.xml") == 0


def test_a_part_that_cannot_be_had_is_a_problem_and_the_rest_goes_on(
    site: Site, fetcher: Fetcher
) -> None:
    site.put("/sitemap.xml", index("/missing.xml", "/page.html", "/bad.xml.gz", "/good.xml"))
    site.put("/page.html", "<p>no sitemap</p>")
    site.put("/bad.xml.gz", b"\x1f\x8b broken", type="application/gzip")
    site.put("/good.xml", urlset("/a"))
    problems = ["http_404", "type_not_supported", "broken"]
    assert expanded(site, fetcher) == (["/a"], problems)


def test_sitemaps_of_other_hosts_are_not_fetched(site: Site, fetcher: Fetcher) -> None:
    site.put("/sitemap.xml", index("http://private.test/a.xml", site.url("/b", "other.test")))
    assert expanded(site, fetcher) == ([], ["outside_prefix"])
    assert site.paths == ["/sitemap.xml"]


def test_addresses_that_do_not_belong_are_counted(site: Site, fetcher: Fetcher) -> None:
    site.put("/sitemap.xml", urlset("/a", "/b", "javascript:x", "http://u:p@site.test/"))
    assert expanded(site, fetcher, lambda url: url.path == "/a") == (["/a"], ["outside_prefix"])
