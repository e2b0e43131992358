"""`groundkit ingest`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from groundkit_core.contracts import IngestReport, SourceClass
from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.interrupt import stop_on_interrupt
from groundkit_retrieval.cli.options import (
    class_option,
    collection_options,
    ingest_options,
    json_option,
    print_json,
    project_option,
    say,
)
from groundkit_retrieval.cli.progress import progress_bar
from groundkit_retrieval.cli.text import printable

_SHOWN = 20


@click.command()
@click.argument("path")
@collection_options
@project_option
@class_option(all_allowed=False)
@click.option("--allow-empty", is_flag=True, help="Let an empty folder remove its documents.")
@click.option("--checksum", is_flag=True, help="Read files even when they look unchanged.")
@click.option("--rev", metavar="REV", help="Index this revision of a git repository.")
@click.option("--crawl", is_flag=True, help="Follow the links of a web page, below its folder.")
@click.option("--prefix", metavar="URL", help="Where crawled pages must be.")
@click.option("--depth", type=click.IntRange(0), metavar="N", help="Links to follow [5].")
@click.option("--max-pages", type=click.IntRange(1), metavar="N", help="Pages to ask for [1000].")
@click.option("--delay", type=click.FloatRange(0), metavar="S", help="Seconds between two [0.5].")
@click.option(
    "--allow-secrets",
    metavar="RULE",
    multiple=True,
    help="Do not refuse files for this rule; kept for later runs.",
)
@json_option
def ingest(
    path: str,
    index_dir: str | None,
    collection: str | None,
    project: str | None,
    source_class: SourceClass | None,
    allow_secrets: tuple[str, ...],
    rev: str | None,
    *,
    allow_empty: bool,
    checksum: bool,
    as_json: bool,
    **crawl: Any,
) -> None:
    """Bring a collection in step with PATH.

    PATH is a folder, a file, a page or sitemap (https://...), a repository at a revision
    (git+https://HOST/PATH@REF, or a local one with --rev).
    """
    settings = load_settings(index_dir=index_dir, collection=collection)
    run = _run_for(path, rev, crawl)
    with progress_bar() as progress, stop_on_interrupt() as stop:
        report = run(
            index_dir=settings.index_dir,
            collection=settings.collection,
            options=ingest_options(
                settings,
                project=project,
                source_class=source_class,
                allow_empty=allow_empty,
                checksum=checksum,
                allow_secrets=allow_secrets,
            ),
            progress=progress,
            notice=say,
            stop=stop,
        )
    if as_json:
        print_json(report)
    else:
        show_report(report)
    if report.interrupted:
        raise click.Abort


def _run_for(path: str, rev: str | None, crawl: dict[str, Any]) -> Callable[..., IngestReport]:
    """Return what ingests a path: a folder, pages, or a revision."""
    from groundkit_index.sources.target import is_git_url, is_web_url

    chosen = {name: value for name, value in crawl.items() if value not in (None, False)}
    if chosen and not is_web_url(path):
        raise click.UsageError("--crawl, --prefix, --depth, --max-pages and --delay need a URL.")
    if is_web_url(path):
        if rev:
            raise click.UsageError("--rev needs a git repository; write git+https://HOST/PATH@REF.")
        return _fetching(path, chosen)
    if rev or is_git_url(path):
        if rev and is_git_url(path):
            raise click.UsageError("The revision stands in the URL: git+https://HOST/PATH@REF.")
        from groundkit_index.repositories import ingest_revision

        return partial(ingest_revision, path, rev)
    from groundkit_index import ingest as run

    return partial(run, path)


def _fetching(url: str, chosen: dict[str, Any]) -> Callable[..., IngestReport]:
    from groundkit_index.fetched import ingest_url
    from groundkit_index.web import CrawlOptions

    if not chosen.pop("crawl", False):
        if chosen.keys() & {"prefix", "depth"}:
            raise click.UsageError("--prefix and --depth need --crawl.")
        return partial(ingest_url, url, crawl=CrawlOptions(**chosen))
    return partial(ingest_url, url, crawl=CrawlOptions(follow=True, **chosen))


def show_report(report: IngestReport) -> None:
    """Print a report for a person."""
    counts = report.documents.model_dump()
    done = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    click.echo(
        f"{report.collection}: {done or 'nothing to do'}; "
        f"{report.chunks} chunks, generation {report.generation}, {report.seconds:.1f} s"
    )
    if report.skipped:
        skipped = ", ".join(f"{number} {name}" for name, number in report.skipped.items())
        click.echo(f"skipped: {skipped}")
    for note in report.notes[:_SHOWN]:
        click.echo(f"note: {printable(note)}")
    if len(report.notes) > _SHOWN:
        click.echo(f"note: {len(report.notes) - _SHOWN} more; --json lists them all")
    for refusal in report.refusals[:_SHOWN]:
        click.echo(f"refused: {printable(refusal.source)} ({refusal.reason})")
    if len(report.refusals) > _SHOWN:
        more = len(report.refusals) - _SHOWN
        click.echo(f"refused: {more} more; --json lists them all")
