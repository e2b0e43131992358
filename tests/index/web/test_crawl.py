"""What a crawl finds, and where it stops."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.index.web.sites import Opener, Reply, Request, Site

from groundkit_index.web import (
    CrawlOptions,
    Event,
    Fetcher,
    FetchError,
    Page,
    Refused,
    Validators,
    crawl,
)

Run = Callable[..., list[Event]]


@pytest.fixture
def run(site: Site, opener: Opener) -> Run:
    """Crawls a path of the site and returns all events."""
    fetcher = opener()

    def crawled(
        path: str = "/", *, known: Mapping[str, Validators] | None = None, **options: Any
    ) -> list[Event]:
        options = {"delay": 0.0, **options}
        return list(crawl(site.url(path), CrawlOptions(**options), fetcher, known or {}))

    return crawled


def link(*paths: str) -> str:
    return "".join(f'<p><a href="{path}">to {path}</a></p>' for path in paths)


def pages(site: Site, events: list[Event]) -> list[str]:
    """Return the paths of the pages among events."""
    origin = site.url("")
    return [e.final_url.removeprefix(origin) for e in events if isinstance(e, Page)]


def refusals(site: Site, events: list[Event]) -> list[tuple[str, str]]:
    """Return the paths and reasons of the refusals among events."""
    origin = site.url("")
    return [(e.url.removeprefix(origin), e.reason) for e in events if isinstance(e, Refused)]


def put_tree(site: Site) -> None:
    """Serve `/docs/` with two levels of pages below."""
    site.put("/docs/", "index" + link("b", "a", "/docs/", "#top", "/elsewhere"))
    site.put("/docs/a", "a" + link("c", "b", "http://other.test/docs/x"))
    site.put("/docs/b", "b" + link("d"))
    site.put("/docs/c", "c" + link("e"))
    site.put("/docs/d", "d")
    site.put("/docs/e", "e")


def test_a_page_is_a_page(site: Site, run: Run) -> None:
    site.put("/a", "one" + link("/b"), headers={"ETag": '"v1"'})
    [page] = run("/a")
    assert isinstance(page, Page)
    assert (page.url, page.final_url) == (site.url("/a"), site.url("/a"))
    assert page.body == b"one" + link("/b").encode()
    assert (page.content_type, page.charset, page.etag) == ("text/html", "utf-8", '"v1"')
    assert page.links == ()
    assert site.paths == ["/a"]


def test_a_start_that_is_no_address_is_said_at_once(fetcher: Fetcher) -> None:
    for start, options in (
        ("file:///etc/passwd", CrawlOptions()),
        ("http://site.test/", CrawlOptions(prefix="nonsense")),
    ):
        with pytest.raises(FetchError):
            crawl(start, options, fetcher, {})


def test_a_start_that_fails_is_refused(site: Site, run: Run) -> None:
    assert refusals(site, run("/missing")) == [("/missing", "http_404")]
    site.put("/image", "x", type="image/png")
    assert refusals(site, run("/image")) == [("/image", "type_not_supported")]
    site.put("/packed", gzip.compress(b"text"), type="application/gzip")
    assert refusals(site, run("/packed")) == [("/packed", "type_not_supported")]
    site.put("/broken", b"\x1f\x8b", type="application/gzip")
    assert refusals(site, run("/broken")) == [("/broken", "broken")]


def test_links_are_followed_breadth_first_below_the_folder_of_the_start(
    site: Site, run: Run
) -> None:
    put_tree(site)
    events = run("/docs/", follow=True)
    assert pages(site, events) == [f"/docs/{name}" for name in ("", "b", "a", "d", "c", "e")]
    assert refusals(site, events) == []
    assert site.paths[0] == "/robots.txt"
    assert sorted(site.paths) == sorted({*site.paths}), "each address is asked for once"
    assert "/elsewhere" not in site.paths


def test_two_crawls_find_the_same_in_the_same_order(site: Site, run: Run) -> None:
    put_tree(site)
    assert run("/docs/", follow=True) == run("/docs/", follow=True)


def test_pages_tell_where_they_lead_within_the_crawl(site: Site, run: Run) -> None:
    put_tree(site)
    first = run("/docs/", follow=True)[0]
    assert isinstance(first, Page)
    assert first.links == (site.url("/docs/b"), site.url("/docs/a"))
    assert first.validators.links == first.links


@pytest.mark.parametrize(("depth", "last"), [(0, ""), (1, "a"), (2, "c"), (3, "e")])
def test_depth_is_the_number_of_links(site: Site, run: Run, depth: int, last: str) -> None:
    put_tree(site)
    assert pages(site, run("/docs/", follow=True, depth=depth))[-1] == f"/docs/{last}"


def test_no_more_addresses_are_asked_for_than_allowed(site: Site, run: Run) -> None:
    put_tree(site)
    events = run("/docs/", follow=True, max_pages=3)
    assert len(pages(site, events)) == 3
    assert refusals(site, events) == [("/docs/", "over_limit")]
    assert "2 were not" in events[-1].detail  # type: ignore[union-attr]


def test_the_prefix_is_whole_segments(site: Site, run: Run) -> None:
    site.put("/docs", "start" + link("/docs/a", "/docs2", "/docs.html", "/x/docs/a"))
    site.put("/docs/a", "a")
    prefix = site.url("/docs")
    events = run("/docs", follow=True, prefix=prefix)
    assert pages(site, events) == ["/docs", "/docs/a"]
    assert refusals(site, events) == []


def test_a_start_outside_the_prefix_is_followed_and_not_taken(site: Site, run: Run) -> None:
    site.put("/", "start" + link("/docs/a", "/b"))
    site.put("/docs/a", "a")
    events = run("/", follow=True, prefix=site.url("/docs/"))
    assert pages(site, events) == ["/docs/a"]
    assert refusals(site, events) == [("/", "outside_prefix")]


def test_the_folder_of_a_redirected_start_is_where_it_leads(site: Site, run: Run) -> None:
    site.redirect("/", "/docs/v2/", 301)
    site.put("/docs/v2/", "start" + link("a", "/docs/v1/"))
    site.put("/docs/v2/a", "a")
    assert pages(site, run("/", follow=True)) == ["/docs/v2/", "/docs/v2/a"]


def test_a_redirect_out_of_the_prefix_is_refused(site: Site, run: Run) -> None:
    site.put("/docs/", "start" + link("a", "b", "c"))
    site.redirect("/docs/a", "/login")
    site.redirect("/docs/b", site.url("/docs/x", host="other.test"))
    site.redirect("/docs/c", "http://10.0.0.1/")
    site.put("/login", "log in")
    site.put("/docs/x", "x")
    events = run("/docs/", follow=True)
    assert pages(site, events) == ["/docs/"]
    assert refusals(site, events) == [
        ("/docs/a", "outside_prefix"),
        ("/docs/b", "outside_prefix"),
        ("/docs/c", "forbidden_address"),
    ]


def test_a_soft_redirect_is_a_link(site: Site, run: Run) -> None:
    site.put("/docs/", '<meta http-equiv=refresh content="0; url=latest/">moved')
    site.put("/docs/latest/", "latest")
    site.put("/docs/out", '<meta http-equiv=refresh content="0; url=http://10.0.0.1/">moved')
    assert pages(site, run("/docs/", follow=True)) == ["/docs/", "/docs/latest/"]
    assert pages(site, run("/docs/out", follow=True)) == ["/docs/out"]


def test_what_has_two_addresses_is_one_page(site: Site, run: Run) -> None:
    site.put("/docs/", "start" + link("index.html", "a", "alias", "b"))
    site.put("/docs/index.html", "start" + link("index.html", "a", "alias", "b"))
    site.put("/docs/a", "the same")
    site.put("/docs/b", "the same")
    site.redirect("/docs/alias", "/docs/a")
    events = run("/docs/", follow=True)
    assert pages(site, events) == ["/docs/", "/docs/a"]
    assert refusals(site, events) == [
        ("/docs/index.html", "duplicate"),
        ("/docs/alias", "duplicate"),
        ("/docs/b", "duplicate"),
    ]


def test_a_redirect_met_first_gives_its_page_once(site: Site, run: Run) -> None:
    site.put("/docs/", "start" + link("alias", "a"))
    site.redirect("/docs/alias", "/docs/a")
    site.put("/docs/a", "a")
    events = run("/docs/", follow=True)
    assert [event.url for event in events] == [site.url("/docs/"), site.url("/docs/alias")]
    assert pages(site, events) == ["/docs/", "/docs/a"]


def test_what_a_page_says_to_crawlers_is_obeyed(site: Site, run: Run) -> None:
    site.put("/docs/", "start" + link("a", "b", "c"))
    site.put("/docs/a", "<meta name=robots content=noindex>a" + link("a2"))
    site.put("/docs/b", "<meta name=robots content=nofollow>b" + link("b2"))
    site.put("/docs/c", "c", headers={"X-Robots-Tag": "none"})
    site.put("/docs/a2", "a2")
    site.put("/docs/b2", "b2")
    events = run("/docs/", follow=True)
    assert pages(site, events) == ["/docs/", "/docs/b", "/docs/a2"]
    assert refusals(site, events) == [("/docs/a", "noindex"), ("/docs/c", "noindex")]


def test_a_canonical_address_counts_when_only_the_query_differs(site: Site, run: Run) -> None:
    site.put("/docs/", "start" + link("a?sort=up", "b"))
    site.put("/docs/a?sort=up", "<link rel=canonical href=/docs/a>up")
    site.put("/docs/a", "<link rel=canonical href=/docs/a>plain")
    site.put("/docs/b", "<link rel=canonical href=/docs/>a mistake on every page")
    events = run("/docs/", follow=True)
    assert pages(site, events) == ["/docs/", "/docs/b", "/docs/a"]
    assert refusals(site, events) == [("/docs/a?sort=up", "not_canonical")]


def test_robots_txt_is_obeyed(site: Site, run: Run) -> None:
    put_tree(site)
    site.put("/robots.txt", "User-agent: *\nDisallow: /docs/a", type="text/plain")
    events = run("/docs/", follow=True)
    assert pages(site, events) == ["/docs/", "/docs/b", "/docs/d"]
    assert refusals(site, events) == [("/docs/a", "robots")]
    assert "/docs/a" not in site.paths
    assert "/docs/a" in pages(site, run("/docs/", follow=True, robots=False))


def test_robots_txt_counts_where_a_redirect_leads(site: Site, run: Run) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /docs/closed", type="text/plain")
    site.put("/docs/", "start" + link("a"))
    site.redirect("/docs/a", "/docs/closed/a")
    site.put("/docs/closed/a", "a")
    assert refusals(site, run("/docs/", follow=True)) == [("/docs/a", "robots")]


def test_a_crawl_that_robots_txt_forbids_asks_for_nothing(site: Site, run: Run) -> None:
    put_tree(site)
    site.put("/robots.txt", "User-agent: *\nDisallow: /", type="text/plain")
    assert refusals(site, run("/docs/", follow=True)) == [("/docs/", "robots")]
    assert site.paths == ["/robots.txt"]


@pytest.mark.parametrize(
    ("host", "reason"), [("private.test", "forbidden_address"), ("nowhere.test", "unknown_host")]
)
def test_a_crawl_of_a_place_that_cannot_be_fetched_from_says_why(
    opener: Opener, host: str, reason: str
) -> None:
    options = CrawlOptions(follow=True, delay=0.0)
    [refused] = crawl(f"http://{host}/", options, opener(), {})
    assert isinstance(refused, Refused)
    assert refused.reason == reason


def test_a_single_page_that_a_person_named_is_fetched_without_asking(site: Site, run: Run) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /", type="text/plain")
    site.put("/a", "one")
    assert pages(site, run("/a")) == ["/a"]
    assert site.paths == ["/a"]


@pytest.mark.parametrize(
    ("robots", "options", "wait"),
    [
        ("", {"delay": 0.4}, 0.4),
        ("Crawl-delay: 2", {"delay": 0.4}, 2),
        ("Crawl-delay: 600", {"longest_delay": 3.0}, 3),
        ("Crawl-delay: 2", {"delay": 5.0}, 5),
    ],
)
def test_requests_are_kept_apart(
    site: Site, run: Run, opener: Opener, robots: str, options: dict[str, float], wait: float
) -> None:
    put_tree(site)
    site.put("/robots.txt", f"User-agent: *\n{robots}", type="text/plain")
    run("/docs/", follow=True, **options)
    assert len(opener.slept) == 5
    assert all(wait / 2 < slept <= wait for slept in opener.slept)


@pytest.mark.parametrize(
    ("grow", "most"),
    [
        (lambda path: f"{path}?month=1" if "?" not in path else f"{path}1", 22),
        (lambda path: f"{path}/next", 5),
        (lambda path: f"{path}/{len(path)}", 18),
        (lambda path: path + "a" * 100, 11),
    ],
    ids=["calendar", "repeated", "deep", "long"],
)
def test_a_trap_ends(site: Site, run: Run, grow: Callable[[str], str], most: int) -> None:
    def answer(request: Request) -> Reply:
        further = grow(request.path)
        return Reply(f'{request.path} <a href="{further}">on</a>'.encode())

    class Endless(dict[str, Any]):
        def get(self, path: str, _: object = None) -> Any:
            return None if path == "/robots.txt" else answer

    site.pages = Endless()
    events = run("/x", follow=True, depth=1000)
    assert 3 < len(pages(site, events)) <= most
    assert [reason for _, reason in refusals(site, events)] == ["trap"]


def test_a_trap_of_many_queries_is_said_once(site: Site, run: Run) -> None:
    queries = [f"/docs/a?session={n}" for n in range(100)]
    site.put("/docs/", link(*queries, "/docs/b"))
    for query in (*queries, "/docs/b"):
        site.put(query, query)
    events = run("/docs/", follow=True, max_variants=10)
    assert len(pages(site, events)) == 12
    assert [reason for _, reason in refusals(site, events)] == ["trap"]


def test_what_shows_by_its_name_that_it_is_no_document_is_not_asked_for(
    site: Site, run: Run
) -> None:
    site.put("/docs/", "start" + link("a.png", "b.CSS", "c.zip", "d.js?v=1", "e.pdf", "f.md"))
    site.put("/docs/e.pdf", "%PDF", type="application/pdf")
    site.put("/docs/f.md", "# f " + link("g"), type="text/markdown")
    assert pages(site, run("/docs/", follow=True)) == ["/docs/", "/docs/e.pdf", "/docs/f.md"]
    assert len(site.paths) == 4


def test_a_page_whose_type_is_not_said_is_read_by_its_beginning(site: Site, run: Run) -> None:
    site.put("/docs/", "\n<!DOCTYPE html>" + link("a"), type=None)
    site.put("/docs/a", "a", type=None)
    assert pages(site, run("/docs/", follow=True)) == ["/docs/", "/docs/a"]


def test_a_site_that_stops_answering_is_left(site: Site, run: Run) -> None:
    paths = [f"/docs/{n}" for n in range(20)]
    site.put("/docs/", link(*paths))
    for path in paths:
        site.put(path, status=503)
    events = run("/docs/", follow=True)
    reasons = [reason for _, reason in refusals(site, events)]
    assert reasons == ["http_503"] * 5 + ["host_unreachable"]


def test_single_failures_stop_nothing(site: Site, run: Run) -> None:
    paths = [f"/docs/{n}" for n in range(20)]
    site.put("/docs/", "start" + link(*paths))
    for path in paths[::2]:
        site.put(path, path)
    events = run("/docs/", follow=True)
    assert len(pages(site, events)) == 11
    assert [reason for _, reason in refusals(site, events)] == ["http_404"] * 10


def test_a_crawl_can_be_left_at_any_event(site: Site, opener: Opener) -> None:
    put_tree(site)
    events = crawl(site.url("/docs/"), CrawlOptions(follow=True, delay=0.0), opener(), {})
    assert len(list(itertools.islice(events, 2))) == 2
    assert len(site.paths) == 3


SITEMAP = "<urlset>{}</urlset>"


def put_sitemap(site: Site, path: str, *places: str, **reply: Any) -> None:
    entries = "".join(f"<url><loc>{place}</loc></url>" for place in places)
    site.put(path, SITEMAP.format(entries), **{"type": "application/xml", **reply})


def test_a_sitemap_is_known_by_its_content(site: Site, run: Run) -> None:
    put_sitemap(
        site, "/map", site.url("/b"), site.url("/a"), site.url("/missing"), type="text/html"
    )
    site.put("/a", "a" + link("/c"))
    site.put("/b", "b")
    site.put("/c", "c")
    events = run("/map")
    assert pages(site, events) == ["/b", "/a"]
    assert refusals(site, events) == [("/missing", "http_404")]
    assert pages(site, run("/map", follow=True)) == ["/b", "/a", "/c"]


def test_a_sitemap_is_held_to_its_host_prefix_and_robots_txt(site: Site, run: Run) -> None:
    places = [site.url(path) for path in ("/docs/a", "/docs/b", "/x")]
    put_sitemap(site, "/sitemap.xml", *places, "http://other.test/docs/c", "http://10.0.0.1/")
    site.put("/robots.txt", "User-agent: *\nDisallow: /docs/b", type="text/plain")
    for path in ("/docs/a", "/docs/b", "/x"):
        site.put(path, path)
    events = run("/sitemap.xml", prefix=site.url("/docs/"))
    assert pages(site, events) == ["/docs/a"]
    assert refusals(site, events) == [("/sitemap.xml", "outside_prefix"), ("/docs/b", "robots")]


def test_a_packed_index_of_sitemaps_is_followed(site: Site, run: Run) -> None:
    index = f"<sitemapindex><sitemap><loc>{site.url('/one.xml')}</loc></sitemap></sitemapindex>"
    site.put("/sitemap.xml.gz", gzip.compress(index.encode()), type="application/gzip")
    put_sitemap(site, "/one.xml", site.url("/a"))
    site.put("/a", "a")
    assert pages(site, run("/sitemap.xml.gz")) == ["/a"]


def test_a_sitemap_asks_for_no_more_than_allowed(site: Site, run: Run) -> None:
    put_sitemap(site, "/sitemap.xml", *(site.url(f"/{n}") for n in range(50)))
    for n in range(50):
        site.put(f"/{n}", f"page {n}")
    events = run("/sitemap.xml", max_pages=11)
    assert len(pages(site, events)) == 10
    assert refusals(site, events) == [("/", "over_limit")]
