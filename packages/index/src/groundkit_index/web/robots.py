"""What sites let crawlers fetch, by robots.txt (RFC 9309)."""

from __future__ import annotations

from collections.abc import Callable

from protego import Protego

from groundkit_index.web.errors import FetchError, StatusError
from groundkit_index.web.fetching import Fetcher
from groundkit_index.web.media import is_anything
from groundkit_index.web.urls import Url
from groundkit_index.web.versions import PRODUCT

LARGEST = 500 * 1024
"""Bytes of a robots.txt that are read."""

_TOO_MANY_REQUESTS = 429


class Robots:
    """The rules of the sites that a crawl meets; each robots.txt is fetched once.

    Without one (4xx) all is allowed; when it cannot be had (5xx, 429, no answer) nothing is.

    Args:
        fetcher: fetches it.
        longest_delay: seconds between requests that a site may ask for.
        before: called before each fetch.
    """

    def __init__(
        self, fetcher: Fetcher, longest_delay: float, before: Callable[[], None] = lambda: None
    ) -> None:
        self._fetcher = fetcher
        self._longest_delay = longest_delay
        self._before = before
        self._rules: dict[str, Protego | FetchError] = {}

    def refusal(self, url: Url) -> tuple[str, str] | None:
        """Return the reason and detail why an address may not be fetched, if so."""
        rules = self._of(url)
        if isinstance(rules, FetchError):
            return rules.reason, f"its robots.txt cannot be had: {rules.detail}"
        return None if rules.can_fetch(str(url), PRODUCT) else ("robots", "by its robots.txt")

    def delay(self, url: Url) -> float:
        """Return the seconds that the site wants between requests, as far as it may."""
        rules = self._of(url)
        if isinstance(rules, FetchError):
            return 0.0
        rate = rules.request_rate(PRODUCT)
        wanted = max(
            rules.crawl_delay(PRODUCT) or 0.0,
            rate.seconds / rate.requests if rate else 0.0,
        )
        return min(wanted, self._longest_delay)

    def _of(self, url: Url) -> Protego | FetchError:
        if url.origin not in self._rules:
            self._rules[url.origin] = self._fetch(url)
        return self._rules[url.origin]

    def _fetch(self, url: Url) -> Protego | FetchError:
        place = Url(url.scheme, url.host, url.port, "/robots.txt")
        self._before()
        try:
            fetched = self._fetcher.get(place, accepts=is_anything, largest=LARGEST, cut=True)
        except StatusError as error:
            missing = 400 <= error.status < 500 and error.status != _TOO_MANY_REQUESTS
            return Protego.parse("") if missing else error
        except FetchError as error:
            return error
        return Protego.parse(fetched.body.decode("utf-8-sig", "replace"))
