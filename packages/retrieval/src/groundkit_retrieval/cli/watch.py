"""`groundkit watch`."""

from __future__ import annotations

import sys

import click

from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.ingest import show_report
from groundkit_retrieval.cli.options import collection_options, ingest_options, json_option, say


@click.command()
@click.argument("path")
@collection_options
@json_option
def watch(path: str, index_dir: str | None, collection: str | None, *, as_json: bool) -> None:
    """Keep a collection in step with the folder PATH until interrupted.

    With --json, one line of JSON is printed for each ingest.
    """
    from groundkit_index.watching import keep_in_step

    settings = load_settings(index_dir=index_dir, collection=collection)
    reports = keep_in_step(
        path,
        index_dir=settings.index_dir,
        collection=settings.collection,
        options=ingest_options(settings),
        notice=say,
    )
    for report in reports:
        if as_json:
            click.echo(report.model_dump_json())
        else:
            show_report(report)
        sys.stdout.flush()
