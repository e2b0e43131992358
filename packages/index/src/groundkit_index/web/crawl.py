"""Goes from one address to the documents it stands for: a page, a sitemap, a part of a site."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace

from groundkit_index.web.answers import Fetched, Validators
from groundkit_index.web.decoding import NotDecodableError, TooLargeError
from groundkit_index.web.errors import FetchError, UnreachableError
from groundkit_index.web.events import Event, Refused
from groundkit_index.web.fetching import Fetcher
from groundkit_index.web.frontier import Frontier
from groundkit_index.web.judging import Judge
from groundkit_index.web.links import PageLinks, page_links
from groundkit_index.web.media import is_document, is_document_or_gzip, is_html
from groundkit_index.web.pace import Pace
from groundkit_index.web.robots import Robots
from groundkit_index.web.scope import Scope, folder_of
from groundkit_index.web.sitemap import Problem, Sitemap, expand_sitemap, read_sitemap
from groundkit_index.web.urls import Url, parse_url

_PATIENCE = 5
"""Addresses of a site in a row that may fail to answer before the rest is left."""

_BUSY = frozenset({"http_429", "http_503"})
_HTML_STARTS = (b"<!doctype html", b"<html")


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How far a crawl goes.

    Attributes:
        follow: follow links; otherwise the start is a page or a sitemap, told by its content.
        prefix: where pages must be; None takes the folder of the start when links are followed,
            and its whole site for a sitemap.
        depth: links from the start to a page, at most.
        max_pages: addresses that are asked for, at most; those that are known come on top.
        max_variants: addresses that differ in nothing but their query, at most.
        delay: seconds between two requests, at least.
        longest_delay: seconds that a robots.txt may ask for; a larger wish counts as this.
        robots: whether robots.txt is obeyed. A single page that a person named is fetched
            without asking.
    """

    follow: bool = False
    prefix: str | None = None
    depth: int = 5
    max_pages: int = 1_000
    max_variants: int = 20
    delay: float = 0.5
    longest_delay: float = 10.0
    robots: bool = True


def crawl(
    start: str, options: CrawlOptions, fetcher: Fetcher, known: Mapping[str, Validators]
) -> Iterator[Event]:
    """Yield what is found, in an order that depends on nothing but the site.

    Every known document gets exactly one of `Page`, `Unchanged`, `Gone` and `Refused`, or none
    when the site stops answering. Only what a server says removes one, trouble never does.

    Args:
        start: an address.
        options: how far to go.
        fetcher: fetches.
        known: what is known of the documents of earlier crawls from this start, by the
            `final_url` of their events. Those that no page leads to any more are asked for at
            the end.

    Raises:
        ForbiddenError: the start or the prefix is not an address on the web.
    """
    first = parse_url(start)
    prefix = parse_url(options.prefix) if options.prefix is not None else None
    return _Crawl(options, fetcher, known, prefix).events(first)


class _Crawl:
    def __init__(
        self,
        options: CrawlOptions,
        fetcher: Fetcher,
        known: Mapping[str, Validators],
        prefix: Url | None,
    ) -> None:
        self._options = options
        self._fetcher = fetcher
        self._known = known
        self._judge = Judge(known)
        self._scope = Scope(prefix) if prefix else None
        self._pace = Pace(options.delay, fetcher.sleep)
        self._robots = Robots(fetcher, options.longest_delay, self._pace.wait)
        self._obeys = options.robots and options.follow
        self._asked = 0
        self._silent = 0

    def events(self, start: Url) -> Iterator[Event]:
        """Yield all events."""
        fetched = yield from self._ask(start, gzip=True)
        if fetched is not None:
            yield from self._from_start(start, fetched)
        elif self._silent:
            return  # without the start, the rest would only be waited for
        yield from self._leftovers()

    def _from_start(self, start: Url, fetched: Fetched) -> Iterator[Event]:
        final = parse_url(fetched.final_url)
        try:
            sitemap = None if fetched.not_modified else read_sitemap(fetched.body, path=final.path)
        except (NotDecodableError, TooLargeError):
            yield self._judge.refused(start, "broken", "it is packed and cannot be unpacked")
            return
        if sitemap is not None:
            yield from self._sitemap(final, fetched, sitemap)
        elif not is_document(fetched.content_type):
            detail = f"{fetched.content_type} is taken for sitemaps only"
            yield self._judge.refused(start, "type_not_supported", detail)
        elif self._options.follow:
            frontier = self._frontier(folder_of(final))
            frontier.meet(start)
            yield from self._settle(start, fetched, frontier, 0)
            yield from self._follow(frontier)
        else:
            yield from self._settle(start, fetched, None, 0)

    def _sitemap(self, final: Url, fetched: Fetched, sitemap: Sitemap) -> Iterator[Event]:
        self._obeys = self._options.robots
        frontier = self._frontier(replace(final, path="/", query=""))
        for entry in expand_sitemap(fetched, sitemap, self._get_sitemap, frontier.scope.holds):
            if isinstance(entry, Problem):
                yield Refused(entry.url, entry.reason, entry.detail)
            else:
                frontier.add(frontier.admitted([entry]), 0)
        yield from self._follow(frontier)

    def _frontier(self, root: Url) -> Frontier:
        self._scope = self._scope or Scope(root)
        return Frontier(self._scope, self._options.max_variants)

    def _get_sitemap(self, url: Url) -> Fetched:
        self._pace.wait()
        try:
            return self._fetcher.get(url, accepts=is_document_or_gzip)
        finally:
            self._pace.done()

    def _follow(self, frontier: Frontier) -> Iterator[Event]:
        """Ask for what is in line, and for what it leads to, until nothing is left."""
        yield from frontier.refused()
        while (entry := frontier.pop()) is not None:
            url, depth = entry
            if str(url) in self._judge.settled:
                continue
            if (stop := self._stop(len(frontier) + 1)) is not None:
                yield Refused(str(frontier.scope.root), *stop)
                return
            fetched = yield from self._ask(url)
            if fetched is not None:
                yield from self._settle(url, fetched, frontier, depth)
            yield from frontier.refused()

    def _stop(self, left: int) -> tuple[str, str] | None:
        """Return why nothing more is asked for, if so."""
        if self._asked >= self._options.max_pages:
            return "over_limit", f"{self._asked:,} addresses were asked for, {left:,} were not"
        if self._silent >= _PATIENCE:
            return "host_unreachable", f"it no longer answers; {left:,} were not asked for"
        return None

    def _leftovers(self) -> Iterator[Event]:
        """Ask for known documents that nothing led to."""
        for key in sorted(self._known):
            if key in self._judge.settled or self._silent >= _PATIENCE:
                continue
            try:
                url = parse_url(key)
            except FetchError as error:
                yield Refused(key, error.reason, error.detail)
                continue
            fetched = yield from self._ask(url)
            if fetched is not None:
                yield from self._settle(url, fetched, None, 0)

    def _ask(self, url: Url, *, gzip: bool = False) -> Generator[Event, None, Fetched | None]:
        """Fetch an address, or yield why not."""
        if (refusal := self._by_robots(url)) is not None:
            yield self._judge.refused(url, *refusal)
            return None
        self._pace.wait(self._robots.delay(url) if self._obeys else 0.0)
        self._asked += 1
        accepts = is_document_or_gzip if gzip else is_document
        try:
            fetched = self._fetcher.get(url, known=self._known, accepts=accepts)
        except FetchError as error:
            self._silent = self._silent + 1 if _is_silence(error) else 0
            yield self._judge.failed(url, error)
            return None
        finally:
            self._pace.done()
        self._silent = 0
        if fetched.final_url != str(url):
            final = parse_url(fetched.final_url)
            if (refusal := self._by_robots(final)) is not None:
                yield self._judge.refused(url, refusal[0], f"it leads elsewhere: {refusal[1]}")
                return None
        return fetched

    def _by_robots(self, url: Url) -> tuple[str, str] | None:
        return self._robots.refusal(url) if self._obeys else None

    def _settle(
        self, url: Url, fetched: Fetched, frontier: Frontier | None, depth: int
    ) -> Iterator[Event]:
        """Yield what a fetched address is, and put its links in line."""
        final = parse_url(fetched.final_url)
        within = self._scope is None or self._scope.holds(final) or str(final) in self._known
        if final != url:
            event = self._judge.redirected(url, final, moved=fetched.moved, within=within)
            if event is not None:
                yield event
            if not within or str(final) in self._judge.settled:
                return
        found = self._found(final, fetched)
        links = self._line_up(final, found, frontier, depth) if frontier is not None else ()
        if within:
            yield self._judge.document(url, final, fetched, found, links)
        else:
            detail = "its links are followed, the page itself is not within the prefix"
            yield self._judge.refused(url, "outside_prefix", detail)

    def _line_up(
        self, final: Url, found: PageLinks, frontier: Frontier, depth: int
    ) -> tuple[str, ...]:
        """Put the links of a page in line; return those within the crawl."""
        frontier.meet(final)
        if not self._options.follow:
            return ()
        links = frontier.admitted(found.links)
        if depth < self._options.depth:
            frontier.add(links, depth + 1)
        if found.canonical is not None:
            frontier.add([found.canonical], depth)
        return tuple(map(str, links))

    def _found(self, final: Url, fetched: Fetched) -> PageLinks:
        """Return what a page says; it may name another query of its own path as canonical."""
        if fetched.not_modified:
            links = self._known[fetched.final_url].links
            return PageLinks(tuple(map(parse_url, links)), None, noindex=False)
        if not _is_page(fetched):
            header = page_links(b"", final, robots=fetched.robots)
            return PageLinks((), None, header.noindex)
        found = page_links(fetched.body, final, charset=fetched.charset, robots=fetched.robots)
        named = found.canonical
        counts = (
            self._options.follow
            and named is not None
            and named.query != final.query
            and replace(named, query=final.query) == final
        )
        return found if counts else replace(found, canonical=None)


def _is_page(fetched: Fetched) -> bool:
    if fetched.content_type in ("", "application/octet-stream"):
        return fetched.body[:256].lstrip().lower().startswith(_HTML_STARTS)
    return is_html(fetched.content_type)


def _is_silence(error: FetchError) -> bool:
    return isinstance(error, UnreachableError) or error.reason in _BUSY
