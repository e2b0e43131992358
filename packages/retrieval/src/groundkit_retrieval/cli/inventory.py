"""`groundkit status` and `groundkit collections`."""

from __future__ import annotations

import click

from groundkit_core.contracts import CollectionStatus, EmbeddingStatus
from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.options import collection_options, json_option, print_json
from groundkit_retrieval.cli.text import printable

_MIB = 2**20


@click.command()
@collection_options
@json_option
def status(index_dir: str | None, collection: str | None, *, as_json: bool) -> None:
    """Show what a collection holds and in which state it is."""
    from groundkit_retrieval.collection import Collection

    settings = load_settings(index_dir=index_dir, collection=collection)
    with Collection.open(settings.collection, index_dir=settings.index_dir) as opened:
        report = opened.status()
    if as_json:
        print_json(report)
    else:
        _show(report)


def _show(report: CollectionStatus) -> None:
    classes = ", ".join(f"{n} {name}" for name, n in report.documents_by_class.items())
    fixed = ", ".join(f"{name} {value}" for name, value in report.settings.items())
    click.echo(f"collection  {report.collection} ({report.version})")
    click.echo(f"generation  {report.generation}, changed {report.updated_at}")
    click.echo(f"documents   {report.documents} ({classes or 'none'})")
    click.echo(f"chunks      {report.chunks}, {report.pending} changes pending")
    click.echo(f"size        {(report.size_bytes or 0) / _MIB:.1f} MiB")
    click.echo(f"settings    {fixed}")
    click.echo(f"embedding   {_embedding(report.embedding)}")
    for root in report.roots:
        state = "" if root.reachable else "  NOT REACHABLE"
        click.echo(f"root        {printable(root.name)}: {root.documents} documents{state}")


def _embedding(embedding: EmbeddingStatus | None) -> str:
    if embedding is None:
        return "none; searched by words only"
    revision = f" ({embedding.revision[:12]})" if embedding.revision else ""
    vectors = "UNREADABLE" if embedding.vectors is None else embedding.vectors
    return (
        f"{embedding.provider} {printable(embedding.model)}{revision}, {embedding.dimensions} "
        f"dimensions; {vectors} vectors, {embedding.pending} changes pending"
    )


@click.command()
@click.option("--index-dir", metavar="DIR", help="Index folder [default: .groundkit].")
@json_option
def collections(index_dir: str | None, *, as_json: bool) -> None:
    """List the collections."""
    from groundkit_index import list_collections

    settings = load_settings(index_dir=index_dir)
    report = list_collections(settings.index_dir)
    if as_json:
        print_json(report)
        return
    if not report.collections:
        click.echo("no collections; run 'groundkit ingest PATH' first", err=True)
    for entry in report.collections:
        click.echo(
            f"{entry.name}: {entry.documents} documents, {entry.chunks} chunks, "
            f"generation {entry.generation}"
        )
