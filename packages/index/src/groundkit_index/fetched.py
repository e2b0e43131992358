"""Brings a collection in step with pages of the web."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Stop
from typing import TYPE_CHECKING

from groundkit_core.contracts import IngestReport
from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog.records import RootRecord
from groundkit_index.guard import check_allowed
from groundkit_index.layout import CollectionPaths
from groundkit_index.options import IngestOptions
from groundkit_index.origins.roots import web_root
from groundkit_index.origins.web import Snapshots, snapshots_of
from groundkit_index.sync import Sync
from groundkit_index.versions import writing
from groundkit_index.writer import VersionWriter

if TYPE_CHECKING:
    from groundkit_index.web import CrawlOptions, Event, Fetcher


def _need_web() -> None:
    try:
        import groundkit_index.web  # noqa: F401  whoever asked imports from it next
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{error.name} is needed to fetch pages; install groundkit-index[formats,web]"
        ) from None


@dataclass(slots=True)
class _Told:
    """What a crawl said of addresses that give no document."""

    refused: list[tuple[str, str]]


def ingest_url(
    url: str,
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    options: IngestOptions | None = None,
    crawl: CrawlOptions | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    stop: Stop | None = None,
    fetcher: Fetcher | None = None,
) -> IngestReport:
    """Fetch a page, the pages of a sitemap, or a part of a site, and index what has changed.

    What was fetched is kept beside the index; citations are verified against that. A document
    is removed only when its server says that it is gone.

    Args:
        url: where to begin.
        index_dir: the folder that holds the collections.
        collection: the collection's name; made when absent.
        options: how to ingest.
        crawl: how far to go [one page, or the pages of a sitemap].
        progress: told how many addresses were asked for, then how far the reading is.
        notice: told when there is something to wait for.
        stop: set it to end early; what was fetched is indexed.
        fetcher: fetches [one for the public internet].

    Raises:
        FetchError: the address may not be fetched.
        SettingsError: a package that fetching needs is not installed.
        StorageError: the index cannot be written; what was committed before stays.
    """
    _need_web()
    from groundkit_index.web import Fetcher, parse_url

    chosen = options or IngestOptions()
    started = time.perf_counter()
    start = str(parse_url(url))
    check_allowed(chosen.allow_secrets)
    paths = CollectionPaths.of(index_dir, collection)
    stopped = stop or Stop()
    with (
        fetcher or Fetcher() as fetching,
        writing(
            paths,
            language=chosen.language,
            chunking=chosen.chunking,
            wait=chosen.lock_wait,
            notice=notice,
        ) as writer,
    ):
        held = snapshots_of(start, writer.version.snapshots)
        told = _fetch(start, crawl, fetching, held, progress, stopped)
        run = Sync(writer, chosen, progress, stopped)
        run.refuse(told.refused)
        run.root(_root(writer, start), "")
        return run.report(paths.name, started)


def _fetch(
    start: str,
    options: CrawlOptions | None,
    fetcher: Fetcher,
    held: Snapshots,
    progress: Progress | None,
    stop: Stop,
) -> _Told:
    from groundkit_index.web import CrawlOptions
    from groundkit_index.web import crawl as go

    told = _Told([])
    for number, event in enumerate(go(start, options or CrawlOptions(), fetcher, held.known()), 1):
        _take(event, held, told)
        if progress:
            progress("fetch", number, number)
        if stop.is_set():
            break
    return told


def _take(event: Event, held: Snapshots, told: _Told) -> None:
    from groundkit_index.web import Gone, Page, Unchanged

    if isinstance(event, Page):
        held.put(event)
    elif isinstance(event, Unchanged):
        held.refresh(event.final_url, event.validators)
    elif isinstance(event, Gone):
        held.delete(event.url)
    else:
        detail = f"{event.reason}: {event.detail}" if event.detail else event.reason
        told.refused.append((event.url, detail))


def _root(writer: VersionWriter, start: str) -> RootRecord:
    from groundkit_index.web import parse_url

    path = web_root(start)
    for root in writer.catalog.roots():
        if root.path == path:
            return root
    with writer.batch() as catalog:
        return catalog.add_root(path, parse_url(start).host)
