"""What a later crawl says of the documents that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.index.web.sites import Opener, Reply, Request, Site

from groundkit_index.web import (
    CrawlOptions,
    Event,
    Gone,
    Page,
    Refused,
    Unchanged,
    Validators,
    crawl,
)


class Mirror:
    """Crawls the same start again and again, as an index that follows the events does."""

    def __init__(self, site: Site, opener: Opener) -> None:
        self.known: dict[str, Validators] = {}
        self._site = site
        self._opener = opener

    def crawl(self, path: str = "/docs/", **options: Any) -> list[tuple[str, str]]:
        """Crawl, apply the events, and return their kinds and paths."""
        options = {"follow": True, "delay": 0.0, **options}
        start = self._site.url(path)
        events = list(crawl(start, CrawlOptions(**options), self._opener(), dict(self.known)))
        for event in events:
            self._apply(event)
        return [self._short(event) for event in events]

    @property
    def paths(self) -> list[str]:
        return sorted(key.removeprefix(self._site.url("")) for key in self.known)

    def _apply(self, event: Event) -> None:
        if isinstance(event, Page | Unchanged):
            self.known[event.final_url] = event.validators
        elif isinstance(event, Gone):
            del self.known[event.url]

    def _short(self, event: Event) -> tuple[str, str]:
        url = event.final_url if isinstance(event, Page | Unchanged) else event.url
        said = event.reason if isinstance(event, Gone | Refused) else type(event).__name__.lower()
        return said, url.removeprefix(self._site.url(""))


@pytest.fixture
def mirror(site: Site, opener: Opener) -> Mirror:
    return Mirror(site, opener)


def link(*paths: str) -> str:
    return "".join(f'<a href="{path}">{path}</a>' for path in paths)


def versioned(text: str) -> Callable[[Request], Reply]:
    """Serve a text that answers conditional requests."""
    tag = f'"{hash(text)}"'

    def answer(request: Request) -> Reply:
        if request.headers.get("if-none-match") == tag:
            return Reply(status=304, headers={"ETag": tag})
        return Reply(text.encode(), headers={"ETag": tag})

    return answer


@pytest.fixture(params=["conditional", "plain"])
def put(request: pytest.FixtureRequest, site: Site) -> Callable[[str, str], None]:
    """Serves a page with and without support of conditional requests."""

    def serve(path: str, text: str) -> None:
        site.pages[path] = (
            versioned(text) if request.param == "conditional" else Reply(text.encode())
        )

    return serve


Put = Callable[[str, str], None]


def put_tree(put: Put) -> None:
    put("/docs/", "start" + link("a", "b"))
    put("/docs/a", "a" + link("c"))
    put("/docs/b", "b")
    put("/docs/c", "c")


ALL = [("page", f"/docs/{name}") for name in ("", "a", "b", "c")]


def unchanged(*names: str) -> list[tuple[str, str]]:
    return [("unchanged", f"/docs/{name}") for name in names]


def test_nothing_changes_when_nothing_has_changed(put: Put, mirror: Mirror, site: Site) -> None:
    put_tree(put)
    assert mirror.crawl() == ALL
    before = dict(mirror.known)
    for _ in range(2):
        site.requests.clear()
        assert mirror.crawl() == unchanged("", "a", "b", "c")
        assert mirror.known == before
        assert len(site.requests) == 5


def test_a_changed_page_is_a_page_again(put: Put, mirror: Mirror) -> None:
    put_tree(put)
    mirror.crawl()
    put("/docs/a", "changed" + link("c"))
    assert mirror.crawl() == [*unchanged(""), ("page", "/docs/a"), *unchanged("b", "c")]


def test_a_new_page_is_found_behind_unchanged_ones(put: Put, mirror: Mirror) -> None:
    put_tree(put)
    mirror.crawl()
    put("/docs/c", "c" + link("d"))
    put("/docs/d", "d")
    found = mirror.crawl()
    assert found == [*unchanged("", "a", "b"), ("page", "/docs/c"), ("page", "/docs/d")]


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone_is_gone(put: Put, mirror: Mirror, site: Site, status: int) -> None:
    put_tree(put)
    mirror.crawl()
    site.pages["/docs/c"] = Reply(status=status)
    assert mirror.crawl() == [*unchanged("", "a", "b"), (f"http_{status}", "/docs/c")]
    assert mirror.paths == ["/docs/", "/docs/a", "/docs/b"]


@pytest.mark.parametrize("status", [401, 403, 429, 451, 500, 502, 503])
def test_trouble_removes_nothing(put: Put, mirror: Mirror, site: Site, status: int) -> None:
    put_tree(put)
    mirror.crawl()
    site.pages["/docs/c"] = Reply(status=status)
    assert mirror.crawl()[-1] == (f"http_{status}", "/docs/c")
    assert len(mirror.paths) == 4


def test_a_site_that_is_down_removes_nothing(put: Put, mirror: Mirror, site: Site) -> None:
    put_tree(put)
    mirror.crawl()
    site.close()
    assert mirror.crawl(robots=False) == [("unreachable", "/docs/")]
    assert mirror.crawl() == [("unreachable", path) for _, path in unchanged("", "a", "b", "c")]
    assert len(mirror.paths) == 4


def test_a_page_that_nothing_leads_to_is_asked_for_at_the_end(put: Put, mirror: Mirror) -> None:
    put_tree(put)
    mirror.crawl()
    put("/docs/", "start" + link("b"))
    found = mirror.crawl()
    assert found == [("page", "/docs/"), *unchanged("b", "a", "c")]


def test_known_pages_come_on_top_of_the_limit(put: Put, mirror: Mirror) -> None:
    put_tree(put)
    mirror.crawl()
    found = mirror.crawl(max_pages=2)
    assert found == [*unchanged("", "a"), ("over_limit", "/docs/"), *unchanged("b", "c")]


def test_a_page_that_has_moved_is_gone_and_found(put: Put, mirror: Mirror, site: Site) -> None:
    put_tree(put)
    mirror.crawl()
    site.redirect("/docs/b", "/docs/new", 301)
    put("/docs/new", "b")
    expected = [*unchanged("", "a"), ("moved", "/docs/b"), ("page", "/docs/new"), *unchanged("c")]
    assert mirror.crawl() == expected
    assert mirror.paths == ["/docs/", "/docs/a", "/docs/c", "/docs/new"]
    assert mirror.crawl() == [*unchanged("", "a", "new", "c")]


def test_a_page_that_leads_elsewhere_for_now_stays(put: Put, mirror: Mirror, site: Site) -> None:
    put_tree(put)
    mirror.crawl()
    site.redirect("/docs/b", "/login", 302)
    site.put("/login", "log in")
    assert mirror.crawl() == [*unchanged("", "a"), ("redirected", "/docs/b"), *unchanged("c")]
    assert len(mirror.paths) == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<meta name=robots content=noindex>", "noindex"),
        ("a" + link("c"), "duplicate"),
    ],
)
def test_a_page_that_is_to_be_one_no_longer_is_gone(
    put: Put, mirror: Mirror, text: str, reason: str
) -> None:
    put_tree(put)
    mirror.crawl()
    put("/docs/b", text)
    assert mirror.crawl() == [*unchanged("", "a"), (reason, "/docs/b"), *unchanged("c")]


def test_a_page_that_robots_txt_closes_stays(put: Put, mirror: Mirror, site: Site) -> None:
    put_tree(put)
    mirror.crawl()
    site.put("/robots.txt", "User-agent: *\nDisallow: /docs/b", type="text/plain")
    assert ("robots", "/docs/b") in mirror.crawl()
    assert len(mirror.paths) == 4


def test_a_single_page_is_followed_through_its_redirect(
    put: Put, mirror: Mirror, site: Site
) -> None:
    site.redirect("/start", "/page")
    put("/page", "one")
    assert mirror.crawl("/start", follow=False) == [("page", "/page")]
    assert mirror.crawl("/start", follow=False) == [("unchanged", "/page")]
    put("/page", "two")
    assert mirror.crawl("/start", follow=False) == [("page", "/page")]
    site.pages["/page"] = Reply(status=410)
    assert mirror.crawl("/start", follow=False) == [("http_410", "/start"), ("http_410", "/page")]
    assert mirror.paths == []


def test_a_sitemap_is_crawled_again(put: Put, mirror: Mirror, site: Site) -> None:
    def listing(*paths: str) -> str:
        return f"<urlset>{''.join(f'<url><loc>{path}</loc></url>' for path in paths)}</urlset>"

    site.put("/sitemap.xml", listing("/a", "/b"))
    put("/a", "a")
    put("/b", "b")
    assert mirror.crawl("/sitemap.xml", follow=False) == [("page", "/a"), ("page", "/b")]
    site.put("/sitemap.xml", listing("/b", "/c"))
    put("/c", "c")
    found = mirror.crawl("/sitemap.xml", follow=False)
    assert found == [("unchanged", "/b"), ("page", "/c"), ("unchanged", "/a")]


def test_a_known_address_that_cannot_be_read_is_refused(mirror: Mirror, site: Site) -> None:
    site.put("/docs/", "start")
    mirror.known["ftp://site.test/x"] = Validators()
    assert mirror.crawl() == [("page", "/docs/"), ("forbidden_url", "ftp://site.test/x")]


def test_without_a_digest_an_unchanged_answer_is_still_believed(site: Site, mirror: Mirror) -> None:
    site.pages["/docs/"] = versioned("start")
    mirror.crawl()
    key = site.url("/docs/")
    mirror.known[key] = replace(mirror.known[key], sha256=None)
    assert mirror.crawl() == unchanged("")
