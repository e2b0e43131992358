"""Pages of the public internet, fetched under guard.

Needs httpcore (comes with httpx), protego and defusedxml; import it only when
something on the web is asked for.
"""

from groundkit_index.web.answers import Fetched, FetchLimits, Validators
from groundkit_index.web.crawl import CrawlOptions, crawl
from groundkit_index.web.errors import FetchError
from groundkit_index.web.events import Event, Gone, Page, Refused, Unchanged
from groundkit_index.web.fetching import Fetcher
from groundkit_index.web.snapshot_paths import snapshot_path
from groundkit_index.web.urls import Url, parse_url

__all__ = [
    "CrawlOptions",
    "Event",
    "FetchError",
    "FetchLimits",
    "Fetched",
    "Fetcher",
    "Gone",
    "Page",
    "Refused",
    "Unchanged",
    "Url",
    "Validators",
    "crawl",
    "parse_url",
    "snapshot_path",
]
