"""`groundkit rebuild` and `groundkit doctor`."""

from __future__ import annotations

import sys

import click

from groundkit_core.contracts import DoctorReport
from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.embedder import chosen_embedder, embedder_options
from groundkit_retrieval.cli.ingest import show_report
from groundkit_retrieval.cli.options import (
    collection_options,
    ingest_options,
    json_option,
    print_json,
    say,
)
from groundkit_retrieval.cli.progress import progress_bar
from groundkit_retrieval.cli.text import printable


@click.command()
@collection_options
@click.option("--language", help="Language of the new version, such as 'german'; 'none'.")
@click.option("--chunk-target", type=int, help="Characters that blocks are gathered up to.")
@click.option("--chunk-cap", type=int, help="Characters that no chunk exceeds.")
@click.option("--chunk-overlap", type=int, help="Characters a chunk reaches back.")
@embedder_options
@click.option("--strict", is_flag=True, help="Keep the old version when a document is refused.")
@json_option
def rebuild(
    index_dir: str | None,
    collection: str | None,
    language: str | None,
    chunk_target: int | None,
    chunk_cap: int | None,
    chunk_overlap: int | None,
    *,
    strict: bool,
    as_json: bool,
    **embedder: str | None,
) -> None:
    """Read everything again into a new version, check it, and switch to it.

    The old version serves until the switch; settings that are not given stay as they are.
    """
    from groundkit_index.rebuild import rebuild as run

    chosen = chosen_embedder(**embedder)
    settings = load_settings(
        index_dir=index_dir,
        collection=collection,
        language=language,
        chunk_target=chunk_target,
        chunk_cap=chunk_cap,
        chunk_overlap=chunk_overlap,
    )
    with progress_bar() as progress:
        report = run(
            index_dir=settings.index_dir,
            collection=settings.collection,
            options=ingest_options(settings),
            strict=strict,
            embedder=chosen,
            progress=progress,
            notice=say,
        )
    if as_json:
        print_json(report)
    else:
        show_report(report)


@click.command()
@collection_options
@click.option("--repair", is_flag=True, help="Make damaged derived indexes again.")
@json_option
def doctor(index_dir: str | None, collection: str | None, *, repair: bool, as_json: bool) -> None:
    """Check the catalog, the derived indexes and the versions of a collection.

    Exits with 1 when something is wrong. The catalog is the truth and is never changed. A repair
    keeps the vectors that are good and embeds the others again.
    """
    from groundkit_index.doctor import examine

    settings = load_settings(index_dir=index_dir, collection=collection)
    with progress_bar() as progress:
        report = examine(
            index_dir=settings.index_dir,
            collection=settings.collection,
            repair=repair,
            wait=settings.lock_wait_seconds,
            progress=progress,
            notice=say,
        )
    if as_json:
        print_json(report)
    else:
        _show(report)
    if not report.healthy:
        sys.stdout.flush()
        raise click.ClickException(_advice(report))


def _show(report: DoctorReport) -> None:
    click.echo(f"{report.collection} ({report.version})")
    for check in report.checks:
        state = "repaired" if check.repaired else "ok" if check.ok else "FAULTY"
        click.echo(f"  {check.name}: {state}")
        for fault in check.faults:
            click.echo(f"    {printable(fault)}")
    for note in report.notes:
        click.echo(f"note: {printable(note)}")


def _advice(report: DoctorReport) -> str:
    if any(check.name == "catalog" and not check.ok for check in report.checks):
        return "the catalog is damaged; run `groundkit rebuild`, or ingest into a new collection"
    return "derived indexes are damaged; run `groundkit doctor --repair`"
