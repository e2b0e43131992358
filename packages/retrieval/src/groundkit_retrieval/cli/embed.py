"""`groundkit embed`."""

from __future__ import annotations

import click

from groundkit_core.contracts import EmbedReport, FusionMethod
from groundkit_core.settings import Settings, load_settings
from groundkit_index.vectors.needs import need_vectors
from groundkit_retrieval.cli.embedder import chosen_embedder, embedder_options
from groundkit_retrieval.cli.interrupt import stop_on_interrupt
from groundkit_retrieval.cli.options import (
    collection_options,
    fusion_options,
    json_option,
    print_json,
    say,
)
from groundkit_retrieval.cli.progress import progress_bar


@click.command()
@collection_options
@embedder_options
@fusion_options
@json_option
def embed(
    index_dir: str | None,
    collection: str | None,
    fusion: FusionMethod | None,
    alpha: float | None,
    *,
    as_json: bool,
    **embedder: str | None,
) -> None:
    """Give a collection vectors, so that it can be searched by meaning as well.

    The first run binds the collection to an embedder [fastembed, where it is installed]; later
    ones go on where it stopped. --fusion and --alpha become the collection's.
    """
    need_vectors()
    from groundkit_index.embedding import embed as run

    chosen = chosen_embedder(**embedder)
    settings = load_settings(index_dir=index_dir, collection=collection)
    with progress_bar() as progress, stop_on_interrupt() as stop:
        report = run(
            index_dir=settings.index_dir,
            collection=settings.collection,
            embedder=chosen,
            wait=settings.lock_wait_seconds,
            progress=progress,
            notice=say,
            stop=stop,
        )
        chosen_ranking = {"fusion": fusion, "alpha": alpha}
        _tune(settings, {name: v for name, v in chosen_ranking.items() if v is not None})
    if as_json:
        print_json(report)
    else:
        _show(report)
    if report.interrupted:
        raise click.Abort


def _tune(settings: Settings, ranking: dict[str, str | float]) -> None:
    if not ranking:
        return
    from groundkit_index.tuning import tune

    tune(
        lambda tuning: tuning.model_copy(update=ranking),
        index_dir=settings.index_dir,
        collection=settings.collection,
        wait=settings.lock_wait_seconds,
        notice=say,
    )


def _show(report: EmbedReport) -> None:
    rate = report.embedded / report.seconds if report.seconds else 0.0
    click.echo(
        f"{report.collection}: {report.embedded} texts embedded with {report.provider} "
        f"{report.model} in {report.seconds:.1f} s ({rate:.0f} a second); "
        f"{report.vectors} vectors, {report.pending} pending"
    )
