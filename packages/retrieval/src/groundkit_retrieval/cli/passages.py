"""`groundkit show` and `groundkit verify`."""

from __future__ import annotations

from pathlib import Path

import click

from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.options import collection_options, json_option, print_json


@click.command()
@click.argument("chunk_id")
@collection_options
@click.option("--context", metavar="N", type=int, default=0, help="Lines around it, 0 to 200.")
@click.option(
    "--image",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write its PDF page to this file as PNG, with the passage highlighted.",
)
@json_option
def show(
    chunk_id: str,
    index_dir: str | None,
    collection: str | None,
    context: int,
    image: Path | None,
    *,
    as_json: bool,
) -> None:
    """Show the passage CHUNK_ID, checked against its source."""
    from groundkit_retrieval.collection import Collection

    settings = load_settings(index_dir=index_dir, collection=collection)
    with Collection.open(settings.collection, index_dir=settings.index_dir) as opened:
        passage = opened.fetch(chunk_id, context=context)
        if image is not None:
            image.write_bytes(opened.page_image(chunk_id))
        if as_json:
            print_json(passage)
            return
        from groundkit_retrieval.cli.render import Renderer

        renderer = Renderer(opened.root_folders())
        renderer.citation(passage.citation)
        renderer.headings(passage.citation)
        for content, style in (
            (passage.before, "dim"),
            (passage.content, ""),
            (passage.after, "dim"),
        ):
            if content.strip("\r\n"):
                renderer.passage(content.strip("\r\n"), style)


@click.command()
@click.argument("chunk_ids", nargs=-1)
@click.option("--all", "check_all", is_flag=True, help="Check every passage (the default).")
@collection_options
@json_option
def verify(
    chunk_ids: tuple[str, ...],
    index_dir: str | None,
    collection: str | None,
    *,
    check_all: bool,
    as_json: bool,
) -> None:
    """Check that the sources still hold the passages CHUNK_IDS, or all passages."""
    from groundkit_retrieval.collection import Collection

    if chunk_ids and check_all:
        raise click.UsageError("Name chunk ids or --all, not both.")
    settings = load_settings(index_dir=index_dir, collection=collection)
    with Collection.open(settings.collection, index_dir=settings.index_dir) as opened:
        report = opened.verify(chunk_ids or None)
        if as_json:
            print_json(report)
            return
        from groundkit_retrieval.cli.render import Renderer

        renderer = Renderer(opened.root_folders())
        for citation in report.citations:
            renderer.citation(citation)
        verdicts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(report.verdicts.items()))
        click.echo(f"{report.checked} checked: {verdicts or 'nothing to check'}")
