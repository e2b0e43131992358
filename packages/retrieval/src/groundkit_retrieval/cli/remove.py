"""`groundkit remove`."""

from __future__ import annotations

import click

from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.options import collection_options, json_option, print_json, say


@click.command()
@click.argument("path", required=False)
@collection_options
@click.option("--all", "whole", is_flag=True, help="Delete the whole collection.")
@json_option
def remove(
    path: str | None,
    index_dir: str | None,
    collection: str | None,
    *,
    whole: bool,
    as_json: bool,
) -> None:
    """Take the documents at or below PATH out of the index; the files stay."""
    if bool(path) == whole:
        raise click.UsageError("Name a PATH, or --all to delete the whole collection.")
    settings = load_settings(index_dir=index_dir, collection=collection)

    from groundkit_index import removal

    if path is None:
        removal.remove_collection(
            settings.collection,
            index_dir=settings.index_dir,
            wait=settings.lock_wait_seconds,
            notice=say,
        )
        click.echo(f"{settings.collection}: deleted", err=as_json)
        return
    report = removal.remove(
        path,
        index_dir=settings.index_dir,
        collection=settings.collection,
        wait=settings.lock_wait_seconds,
        notice=say,
    )
    if as_json:
        print_json(report)
    else:
        click.echo(
            f"{report.collection}: {report.removed} documents removed; "
            f"{report.chunks} chunks, generation {report.generation}"
        )
