"""What sites let crawlers fetch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.index.web.sites import Site

from groundkit_index.web import Fetcher, Url, parse_url
from groundkit_index.web.robots import LARGEST, Robots


def rules(site: Site, fetcher: Fetcher, text: str | bytes, longest_delay: float = 10.0) -> Robots:
    site.put("/robots.txt", text, type="text/plain")
    return Robots(fetcher, longest_delay)


def at(site: Site, path: str) -> Url:
    return parse_url(site.url(path))


@pytest.mark.parametrize(
    ("text", "allowed", "forbidden"),
    [
        ("", ["/", "/a"], []),
        ("User-agent: *\nDisallow:", ["/", "/a"], []),
        ("User-agent: *\nDisallow: /", [], ["/", "/a"]),
        ("User-agent: *\nDisallow: /a", ["/", "/b"], ["/a", "/a/b", "/ab"]),
        ("User-agent: *\nDisallow: /a/\nAllow: /a/b", ["/a", "/a/b"], ["/a/", "/a/c"]),
        ("User-agent: *\nDisallow: /*.pdf$", ["/a.pdf?x=1", "/a"], ["/a.pdf", "/b/c.pdf"]),
        ("User-agent: *\nDisallow: /*?", ["/a"], ["/a?x=1"]),
        ("User-agent: *\nDisallow: /\n\nUser-agent: groundkit\nAllow: /", ["/a"], []),
        ("User-agent: groundkit\nDisallow: /a\n\nUser-agent: *\nDisallow: /", ["/b"], ["/a"]),
        ("User-agent: otherbot\nDisallow: /", ["/a"], []),
        ("\ufeffUser-agent: *\nDisallow: /a", ["/b"], ["/a"]),
        ("User-agent: *\rDisallow: /a\r", ["/b"], ["/a"]),
        ("User-agent: *\nDisallow: /k%C3%A4se", ["/kase"], ["/käse"]),
        ("<html>not found</html>", ["/a"], []),
    ],
)
def test_rules_are_read_as_the_standard_says(
    site: Site, fetcher: Fetcher, text: str, allowed: list[str], forbidden: list[str]
) -> None:
    robots = rules(site, fetcher, text)
    assert [path for path in allowed if robots.refusal(at(site, path))] == []
    assert [path for path in forbidden if not robots.refusal(at(site, path))] == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_site_without_rules_allows_all(site: Site, fetcher: Fetcher, status: int) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /", status=status)
    assert not Robots(fetcher, 10).refusal(at(site, "/a"))


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_site_whose_rules_cannot_be_had_allows_nothing(
    site: Site, fetcher: Fetcher, status: int
) -> None:
    site.put("/robots.txt", status=status)
    assert Robots(fetcher, 10).refusal(at(site, "/a"))


def test_a_site_that_is_down_allows_nothing(site: Site, fetcher: Fetcher) -> None:
    site.close()
    assert Robots(fetcher, 10).refusal(at(site, "/a"))


def test_rules_may_be_redirected_but_not_to_a_private_address(site: Site, fetcher: Fetcher) -> None:
    site.redirect("/robots.txt", site.url("/rules", host="other.test"))
    site.put("/rules", "User-agent: *\nDisallow: /a", type="text/plain")
    robots = Robots(fetcher, 10)
    assert robots.refusal(at(site, "/a"))
    assert not robots.refusal(at(site, "/b"))
    site.redirect("/robots.txt", "http://10.0.0.1/robots.txt")
    assert Robots(fetcher, 10).refusal(at(site, "/b"))


def test_rules_are_fetched_once_for_an_origin(site: Site, fetcher: Fetcher) -> None:
    robots = rules(site, fetcher, "User-agent: *\nDisallow: /a")
    for path in ("/a", "/b", "/c?x=1"):
        robots.refusal(at(site, path))
        robots.delay(at(site, path))
    assert site.paths == ["/robots.txt"]
    robots.refusal(parse_url(site.url("/a", host="other.test")))
    assert site.paths == ["/robots.txt"] * 2


def test_the_first_500_kib_are_read(site: Site, fetcher: Fetcher) -> None:
    start = b"User-agent: *\nDisallow: /first\n"
    padding = b"# comment\n" * (LARGEST // 10)
    robots = rules(site, fetcher, start + padding + b"Disallow: /last\n")
    assert robots.refusal(at(site, "/first"))
    assert not robots.refusal(at(site, "/last"))


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nDisallow: /a", 0.0),
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: 3600", 10.0),
        ("User-agent: *\nCrawl-delay: soon", 0.0),
        ("User-agent: *\nCrawl-delay: -1", 0.0),
        ("User-agent: *\nCrawl-delay: nan", 0.0),
        ("User-agent: *\nRequest-rate: 1/4", 4.0),
        ("User-agent: otherbot\nCrawl-delay: 5", 0.0),
    ],
)
def test_a_delay_is_obeyed_up_to_a_limit(
    site: Site, fetcher: Fetcher, text: str, delay: float
) -> None:
    assert rules(site, fetcher, text).delay(at(site, "/b")) == delay


def test_rules_of_nothing_but_wildcards_are_matched_in_time(
    site: Site, fetcher: Fetcher, stopwatch: Callable[[], float]
) -> None:
    hostile = "User-agent: *\n" + "".join(f"Disallow: /{'*a' * 200}{n}$\n" for n in range(500))
    robots = rules(site, fetcher, hostile)
    assert not robots.refusal(at(site, "/" + "a" * 3000))
    assert stopwatch() < 3
