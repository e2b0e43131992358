"""Pages become documents whose citations are verified against what was fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.contracts import IngestReport
from groundkit_core.errors import RootEmptyError
from groundkit_index.fetched import ingest_url
from groundkit_index.rebuild import rebuild
from groundkit_index.web import CrawlOptions, FetchError
from groundkit_retrieval import Collection

if TYPE_CHECKING:
    from tests.index.web.sites import Site

    from groundkit_index.web import Fetcher

PAGE = (
    "<html><head><title>Otters</title></head><body><nav>Home</nav><main><h1 id='swim'>How otters "
    "swim</h1><p>{}</p>{}</main></body></html>"
)
FIRST = "An otter swims with its webbed feet and steers with a strong tail."
SECOND = "The holt of an otter is dug into the bank of a river below the roots of trees."

Ingest = Callable[..., IngestReport]


@pytest.fixture
def fetch(opener: Callable[..., Fetcher], tmp_path: Path) -> Ingest:
    def run(url: str, **options: Any) -> IngestReport:
        follow = options.pop("follow", False)
        crawl = CrawlOptions(follow=follow, delay=0.0)
        return ingest_url(
            url, index_dir=tmp_path / "index", crawl=crawl, fetcher=opener(), **options
        )

    return run


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], Collection]]:
    held: list[Collection] = []

    def run() -> Collection:
        held.append(Collection.open(index_dir=tmp_path / "index"))
        return held[-1]

    yield run
    for collection in held:
        collection.close()


def test_a_page_is_cited_with_its_address_and_the_words_that_a_browser_scrolls_to(
    site: Site, fetch: Ingest, opened: Callable[[], Collection]
) -> None:
    site.put("/otters.html", PAGE.format(FIRST, ""))
    report = fetch(site.url("/otters.html"))
    assert (report.documents.added, report.refusals) == (1, ())
    (hit,) = opened().search("webbed feet otter").results
    assert FIRST in hit.content
    assert "Home" not in hit.content
    citation = hit.citation
    assert citation.source == site.url("/otters.html")
    assert citation.link.startswith(site.url("/otters.html") + "#")
    assert ":~:text=" in citation.link
    assert citation.verification == "verified"
    assert citation.extractor is not None
    assert citation.extractor.startswith("html ")


def test_a_page_that_has_not_changed_is_asked_for_and_not_read_again(
    site: Site, fetch: Ingest
) -> None:
    site.put("/a.html", PAGE.format(FIRST, ""), headers={"ETag": '"one"'})
    fetch(site.url("/a.html"))
    site.put("/a.html", status=304)
    report = fetch(site.url("/a.html"))
    assert report.documents.unchanged == 1
    assert report.documents.updated == 0
    assert site.requests[-1].headers["if-none-match"] == '"one"'


def test_a_changed_page_replaces_what_was_there(
    site: Site, fetch: Ingest, opened: Callable[[], Collection]
) -> None:
    site.put("/a.html", PAGE.format(FIRST, ""))
    fetch(site.url("/a.html"))
    site.put("/a.html", PAGE.format(SECOND, ""))
    assert fetch(site.url("/a.html")).documents.updated == 1
    (hit,) = opened().search("holt bank river").results
    assert hit.citation.verification == "verified"
    assert not opened().search("webbed").results


def test_a_site_is_followed_and_only_what_its_server_says_is_gone_is_removed(
    site: Site, fetch: Ingest, opened: Callable[[], Collection]
) -> None:
    site.put("/robots.txt", "User-agent: *\nAllow: /\n", type="text/plain")
    site.put("/docs/", PAGE.format(FIRST, "<a href='b.html'>b</a> <a href='c.html'>c</a>"))
    site.put("/docs/b.html", PAGE.format(SECOND, ""))
    site.put("/docs/c.html", PAGE.format("A kit is the young of an otter and cannot swim.", ""))
    assert fetch(site.url("/docs/"), follow=True).documents.added == 3
    site.pages.pop("/docs/b.html")  # 404 from now on
    site.put("/docs/c.html", status=500)
    report = fetch(site.url("/docs/"), follow=True)
    assert report.documents.removed == 1
    assert [refusal.source for refusal in report.refusals] == [site.url("/docs/c.html")]
    assert opened().search("young otter kit").results
    assert not opened().search("holt bank river").results


def test_what_is_refused_is_said_and_nothing_is_lost(
    site: Site, fetch: Ingest, opened: Callable[[], Collection]
) -> None:
    site.put("/a.html", PAGE.format(FIRST, ""))
    fetch(site.url("/a.html"))
    site.put("/a.html", status=503)
    report = fetch(site.url("/a.html"))
    assert report.documents.removed == 0
    assert "http_503" in report.refusals[0].reason
    assert opened().search("webbed feet").results


def test_an_address_with_a_password_is_refused_and_not_repeated(fetch: Ingest) -> None:
    with pytest.raises(FetchError) as caught:
        fetch("https://user:hunter2@example.org/")
    assert "hunter2" not in str(caught.value)


def test_a_private_address_is_refused_before_anything_is_indexed(
    site: Site, tmp_path: Path
) -> None:
    site.put("/a.html", PAGE.format(FIRST, ""))
    report = ingest_url(f"http://127.0.0.1:{site.port}/a.html", index_dir=tmp_path / "index")
    assert report.documents.added == 0
    assert "forbidden_address" in report.refusals[0].reason
    assert site.requests == []


def test_a_rebuild_reads_what_was_fetched_and_asks_nobody(
    site: Site, fetch: Ingest, opened: Callable[[], Collection], tmp_path: Path
) -> None:
    site.put("/a.html", PAGE.format(FIRST, ""))
    fetch(site.url("/a.html"))
    asked = len(site.requests)
    before = opened().search("webbed feet").results[0].citation
    report = rebuild(index_dir=tmp_path / "index")
    assert report.documents.added == 1
    assert len(site.requests) == asked
    after = opened().search("webbed feet").results[0].citation
    assert (after.chunk_id, after.verification) == (before.chunk_id, "verified")


def test_a_server_that_says_everything_is_gone_empties_nothing_by_itself(
    site: Site, fetch: Ingest, opened: Callable[[], Collection]
) -> None:
    site.put("/a.html", PAGE.format(FIRST, ""))
    fetch(site.url("/a.html"))
    site.pages.clear()
    with pytest.raises(RootEmptyError):
        fetch(site.url("/a.html"))
    assert opened().search("webbed feet").results


def test_other_kinds_of_documents_are_told_by_what_the_server_says(
    site: Site, fetch: Ingest, opened: Callable[[], Collection]
) -> None:
    site.put("/notes", f"# Otters\n\n{FIRST}\n", type="text/markdown")
    fetch(site.url("/notes"))
    (hit,) = opened().search("webbed feet").results
    assert hit.citation.extractor is None
    assert hit.citation.heading_path == ("Otters",)
    assert hit.citation.link.startswith(site.url("/notes") + "#:~:text=")
