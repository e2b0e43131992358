"""`groundkit search`."""

from __future__ import annotations

import click

from groundkit_core.contracts import ConfidencePolicy, FusionMethod, SourceClass
from groundkit_core.settings import load_settings
from groundkit_retrieval.cli.options import (
    class_option,
    collection_options,
    fusion_options,
    json_option,
    print_json,
    project_option,
    say,
)

_MODES = ("hybrid", "lexical", "dense", "fts", "bm25", "vector")


@click.command()
@click.argument("query")
@collection_options
@click.option("--mode", type=click.Choice(_MODES), help="[default: the best the collection has]")
@click.option("--limit", type=int, default=8, show_default=True, help="Results, 1 to 20.")
@class_option(all_allowed=True)
@project_option
@click.option(
    "--confidence",
    type=click.Choice(["normal", "strict"]),
    default="normal",
    show_default=True,
    help="'strict' withholds what is doubtful or does not verify.",
)
@fusion_options
@click.option(
    "--rerank/--no-rerank", default=None, help="Look at the best again [default: if configured]."
)
@click.option("--reranker", metavar="NAME", help="maxsim, fastembed or sentence-transformers.")
@click.option("--reranker-model", metavar="MODEL", help="Its model; for maxsim a folder.")
@json_option
def search(
    query: str,
    index_dir: str | None,
    collection: str | None,
    mode: str | None,
    limit: int,
    source_class: SourceClass,
    project: str | None,
    confidence: ConfidencePolicy,
    fusion: FusionMethod | None,
    alpha: float | None,
    rerank: bool | None,
    reranker: str | None,
    reranker_model: str | None,
    *,
    as_json: bool,
) -> None:
    """Find the passages that bear on QUERY."""
    from groundkit_retrieval.collection import make_request
    from groundkit_retrieval.opening import open_collection

    request = make_request(
        query,
        mode=mode,
        limit=limit,
        source_class=source_class,
        project=project,
        confidence=confidence,
    )
    settings = load_settings(
        index_dir=index_dir,
        collection=collection,
        fusion=fusion,
        alpha=alpha,
        reranker=reranker,
        reranker_model=reranker_model,
    )
    with open_collection(settings, notice=say) as opened:
        response = opened.search(request, rerank=rerank)
        if as_json:
            print_json(response)
            return
        from groundkit_retrieval.cli.render import Renderer

        Renderer(opened.root_folders(), opened.analyzer, query).response(response)
