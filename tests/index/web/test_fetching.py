"""What a fetch returns, and how it follows, asks again and gives up."""

from __future__ import annotations

import pytest
from tests.index.web.sites import Opener, Reply, Request, Site

from groundkit_index.web import Fetcher, FetchError, Validators
from groundkit_index.web.errors import (
    AnswerError,
    ForbiddenError,
    StatusError,
    UnreachableError,
)


def reason(fetcher: Fetcher, url: str) -> str:
    with pytest.raises(FetchError) as failure:
        fetcher.get(url)
    assert failure.value.reason in str(failure.value)
    return failure.value.reason


def test_a_page_comes_with_its_type_and_validators(site: Site, fetcher: Fetcher) -> None:
    headers = {"ETag": '"v1"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
    site.put("/a?x=1", "<p>one</p>", type="Text/HTML; Charset=ISO-8859-1", headers=headers)
    fetched = fetcher.get(site.url("/a?x=1#part"))
    assert fetched.status == 200
    assert fetched.url == fetched.final_url == site.url("/a?x=1")
    assert (fetched.content_type, fetched.charset) == ("text/html", "iso-8859-1")
    assert (fetched.etag, fetched.last_modified) == ('"v1"', "Mon, 01 Jan 2024 00:00:00 GMT")
    assert fetched.body == b"<p>one</p>"
    assert not fetched.not_modified
    assert not fetched.moved


def test_a_request_says_who_asks_and_nothing_else(site: Site, fetcher: Fetcher) -> None:
    site.put("/", "one")
    fetcher.get(site.url())
    headers = site.requests[0].headers
    assert headers["user-agent"] == "groundkit/0.1.0"
    assert headers["host"] == f"site.test:{site.port}"
    assert set(headers) == {"host", "user-agent", "accept", "accept-encoding"}


def test_connections_are_kept_and_names_asked_once(
    site: Site, fetcher: Fetcher, opener: Opener
) -> None:
    for path in ("/a", "/b", "/c"):
        site.put(path, path)
        fetcher.get(site.url(path))
    assert opener.asked == ["site.test"]


def test_redirects_are_followed(site: Site, fetcher: Fetcher) -> None:
    site.redirect("/a", "b?x=1")
    site.redirect("/b?x=1", site.url("/c", host="other.test"), 307)
    site.redirect("/c", f"//site.test:{site.port}/d", 303)
    site.put("/d", "there")
    fetched = fetcher.get(site.url("/a"))
    assert fetched.body == b"there"
    assert (fetched.url, fetched.final_url) == (site.url("/a"), site.url("/d"))
    assert not fetched.moved


def test_a_page_has_moved_when_every_redirect_is_permanent(site: Site, fetcher: Fetcher) -> None:
    site.redirect("/a", "/b", 301)
    site.redirect("/b", "/c", 308)
    site.put("/c", "there")
    assert fetcher.get(site.url("/a")).moved
    site.redirect("/b", "/c", 302)
    assert not fetcher.get(site.url("/a")).moved


def test_a_redirect_may_be_written_in_utf_8(site: Site, fetcher: Fetcher) -> None:
    site.redirect("/a", "/käse".encode().decode("latin-1"))
    site.put("/k%C3%A4se", "there")
    assert fetcher.get(site.url("/a")).body == b"there"


def test_five_redirects_are_followed_and_no_sixth(site: Site, fetcher: Fetcher) -> None:
    for step in range(7):
        site.redirect(f"/{step}", f"/{step + 1}")
    site.put("/7", "there")
    assert fetcher.get(site.url("/2")).body == b"there"
    assert reason(fetcher, site.url("/1")) == "too_many_redirects"


def test_a_redirect_without_a_place_is_a_status(site: Site, fetcher: Fetcher) -> None:
    site.pages["/a"] = Reply(status=302)
    assert reason(fetcher, site.url("/a")) == "http_302"


@pytest.mark.parametrize("status", [204, 400, 401, 403, 404, 410, 451, 500, 502])
def test_any_other_status_is_an_error_without_the_query(
    site: Site, fetcher: Fetcher, status: int
) -> None:
    site.put("/a?token=hunter2", "", status=status)
    with pytest.raises(StatusError) as failure:
        fetcher.get(site.url("/a?token=hunter2"))
    assert failure.value.reason == f"http_{status}"
    assert failure.value.status == status
    assert "hunter2" not in str(failure.value)
    assert site.url("/a") in str(failure.value)


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/markdown",
        "application/xhtml+xml",
        "application/pdf",
        "application/json",
        "application/ld+json",
        "application/atom+xml",
        "application/epub+zip",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/octet-stream",
        None,
    ],
)
def test_documents_are_taken(site: Site, fetcher: Fetcher, content_type: str | None) -> None:
    site.put("/a", "one", type=content_type)
    assert fetcher.get(site.url("/a")).content_type == (content_type or "")


@pytest.mark.parametrize(
    "content_type",
    [
        "image/png",
        "image/svg+xml",
        "video/mp4",
        "application/zip",
        "text/event-stream",
        "font/woff",
    ],
)
def test_other_types_are_refused(site: Site, fetcher: Fetcher, content_type: str) -> None:
    site.put("/a", "one", type=content_type)
    with pytest.raises(AnswerError) as failure:
        fetcher.get(site.url("/a"))
    assert failure.value.reason == "type_not_supported"


def test_a_known_page_is_asked_for_conditionally(site: Site, fetcher: Fetcher) -> None:
    def answer(request: Request) -> Reply:
        same = request.headers.get("if-none-match") == '"v1"'
        return Reply(status=304) if same else Reply(b"new", headers={"ETag": '"v1"'})

    site.pages["/a"] = answer
    site.redirect("/start", "/a")
    known = {site.url("/a"): Validators('"v1"', "Mon, 01 Jan 2024 00:00:00 GMT")}
    for start in ("/a", "/start"):
        fetched = fetcher.get(site.url(start), known=known)
        assert fetched.not_modified
        assert (fetched.status, fetched.body) == (304, b"")
        assert fetched.final_url == site.url("/a")
    assert fetcher.get(site.url("/a")).body == b"new"
    conditions = [request.headers.get("if-modified-since") for request in site.requests]
    assert conditions == ["Mon, 01 Jan 2024 00:00:00 GMT", None, conditions[0], None]


def test_304_that_nobody_asked_for_is_no_page(site: Site, fetcher: Fetcher) -> None:
    site.pages["/a"] = Reply(status=304)
    assert reason(fetcher, site.url("/a")) == "http_304"


def test_a_stored_validator_cannot_add_a_header(site: Site, fetcher: Fetcher) -> None:
    site.put("/a", "one")
    known = {site.url("/a"): Validators('"v1"\r\nCookie: a=b', "x\nAuthorization: b")}
    assert fetcher.get(site.url("/a"), known=known).body == b"one"
    assert not {"if-none-match", "cookie", "authorization"} & set(site.requests[0].headers)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(
    site: Site, fetcher: Fetcher, opener: Opener, status: int
) -> None:
    busy = Reply(status=status)
    site.pages["/a"] = [busy, busy, Reply(b"at last")]
    assert fetcher.get(site.url("/a")).body == b"at last"
    assert len(opener.slept) == 2
    assert 0 < opener.slept[0] < opener.slept[1] < 1


def test_a_busy_server_is_asked_three_times(site: Site, fetcher: Fetcher) -> None:
    site.pages["/a"] = Reply(status=503)
    assert reason(fetcher, site.url("/a")) == "http_503"
    assert len(site.requests) == 3


def test_retry_after_is_obeyed(site: Site, fetcher: Fetcher, opener: Opener) -> None:
    site.pages["/a"] = [Reply(status=429, headers={"Retry-After": "45"}), Reply(b"at last")]
    assert fetcher.get(site.url("/a")).body == b"at last"
    assert opener.slept == [45.0]


def test_nobody_waits_longer_than_a_minute(site: Site, fetcher: Fetcher, opener: Opener) -> None:
    site.pages["/a"] = Reply(status=429, headers={"Retry-After": "61"})
    assert reason(fetcher, site.url("/a")) == "http_429"
    assert opener.slept == []


def test_a_server_that_does_not_run_is_unreachable(fetcher: Fetcher, site: Site) -> None:
    site.close()
    with pytest.raises(UnreachableError) as failure:
        fetcher.get(site.url("/a"))
    assert failure.value.reason == "unreachable"


def test_a_name_that_does_not_exist_is_unreachable(fetcher: Fetcher) -> None:
    with pytest.raises(UnreachableError) as failure:
        fetcher.get("http://nowhere.test/")
    assert failure.value.reason == "unknown_host"


def test_an_address_must_be_one(fetcher: Fetcher) -> None:
    with pytest.raises(ForbiddenError):
        fetcher.get("file:///etc/passwd")
