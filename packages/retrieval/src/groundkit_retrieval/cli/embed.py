"""`groundkit embed`."""

from __future__ import annotations

import click

from groundkit_core.contracts import EmbedReport
from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.interrupt import stop_on_interrupt
from groundkit_retrieval.cli.options import collection_options, json_option, print_json, say
from groundkit_retrieval.cli.progress import progress_bar


@click.command()
@collection_options
@click.option("--embedder", metavar="PROVIDER", help="fastembed, onnx, ollama, openai or hash.")
@click.option("--model", default="", help="Model name; for onnx the folder that holds it.")
@click.option("--endpoint", default="", metavar="URL", help="Address of ollama or openai.")
@click.option("--api-key-env", default="", metavar="NAME", help="Variable that holds the key.")
@click.option("--query-prefix", help="Put before a query.")
@click.option("--document-prefix", help="Put before a passage.")
@json_option
def embed(
    index_dir: str | None,
    collection: str | None,
    embedder: str | None,
    model: str,
    endpoint: str,
    api_key_env: str,
    query_prefix: str | None,
    document_prefix: str | None,
    *,
    as_json: bool,
) -> None:
    """Give a collection vectors, so that it can be searched by meaning as well.

    The first run binds the collection to an embedder; later ones go on where it stopped.
    """
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_index.embedding import embed as run

    if embedder is None and (model or endpoint):
        raise click.UsageError("--model and --endpoint need --embedder PROVIDER.")
    chosen = None
    if embedder is not None:
        chosen = EmbedderSettings(
            provider=embedder,
            model=model,
            endpoint=endpoint,
            api_key_env=api_key_env,
            query_prefix=query_prefix,
            document_prefix=document_prefix,
        )
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
    if as_json:
        print_json(report)
    else:
        _show(report)
    if report.interrupted:
        raise click.Abort


def _show(report: EmbedReport) -> None:
    rate = report.embedded / report.seconds if report.seconds else 0.0
    click.echo(
        f"{report.collection}: {report.embedded} texts embedded with {report.provider} "
        f"{report.model} in {report.seconds:.1f} s ({rate:.0f} a second); "
        f"{report.vectors} vectors, {report.pending} pending"
    )
