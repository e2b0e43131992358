"""`groundkit ingest`."""

from __future__ import annotations

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

_SHOWN_REFUSALS = 20


@click.command()
@click.argument("path")
@collection_options
@project_option
@class_option(all_allowed=False)
@click.option("--allow-empty", is_flag=True, help="Let an empty folder remove its documents.")
@click.option("--checksum", is_flag=True, help="Read files even when they look unchanged.")
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
    *,
    allow_empty: bool,
    checksum: bool,
    as_json: bool,
) -> None:
    """Bring a collection in step with the folder or file PATH."""
    from groundkit_index import ingest as run

    settings = load_settings(index_dir=index_dir, collection=collection)
    with progress_bar() as progress, stop_on_interrupt() as stop:
        report = run(
            path,
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
    for note in report.notes:
        click.echo(f"note: {printable(note)}")
    for refusal in report.refusals[:_SHOWN_REFUSALS]:
        click.echo(f"refused: {printable(refusal.source)} ({refusal.reason})")
    if len(report.refusals) > _SHOWN_REFUSALS:
        more = len(report.refusals) - _SHOWN_REFUSALS
        click.echo(f"refused: {more} more; --json lists them all")
