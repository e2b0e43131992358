"""`groundkit-eval run`: measure every stage on judged queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundkit_core.contracts import FusionMethod
from groundkit_eval.cli.options import FILE, check_output, debug_option, say
from groundkit_eval.cli.progress import progress_bar
from groundkit_eval.cli.signals import interruptible

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_retrieval.rerank import RerankerSettings


@click.command()
@click.option("--corpus", type=FILE, required=True, help="Folder of the documents.")
@click.option("--judgments", type=FILE, required=True, help="Judged queries, as JSON Lines.")
@click.option("--json", "output", type=FILE, metavar="OUT", help="Write the result to this file.")
@click.option(
    "--limit",
    type=click.IntRange(10, 20),
    default=10,
    show_default=True,
    help="Chunks to ask for with each query.",
)
@click.option(
    "--language",
    default="english",
    show_default=True,
    help="Language of the documents, as Snowball names it; `none` stems nothing.",
)
@click.option("--embedder", metavar="PROVIDER", help="fastembed, onnx, ollama, openai or hash.")
@click.option("--model", default="", help="Model name; for onnx the folder that holds it.")
@click.option("--endpoint", default="", metavar="URL", help="Address of ollama or openai.")
@click.option("--api-key-env", default="", metavar="NAME", help="Variable that holds the key.")
@click.option(
    "--fusion",
    type=click.Choice(["weighted", "rrf"]),
    help="How words and meaning are joined [default: weighted].",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1),
    help="Weight of meaning in 'weighted', 0 to 1 [default: 0.5, or 0.3 for static embedders].",
)
@click.option("--reranker", metavar="NAME", help="maxsim, fastembed or sentence-transformers.")
@click.option(
    "--reranker-model", default="", metavar="MODEL", help="Its model; for maxsim a folder."
)
@debug_option
def run(
    corpus: Path,
    judgments: Path,
    output: Path | None,
    limit: int,
    language: str,
    embedder: str | None,
    model: str,
    endpoint: str,
    api_key_env: str,
    fusion: FusionMethod | None,
    alpha: float | None,
    reranker: str | None,
    reranker_model: str,
) -> None:
    """Index a folder into a temporary collection and measure every stage on judged queries.

    With an embedder the stages 'dense' and 'hybrid' are measured too, with a reranker a stage
    that reranks. The collection is removed afterwards and nothing is written to the folder.
    """
    from groundkit_eval.evaluation import evaluate
    from groundkit_eval.files import write_text
    from groundkit_eval.judgments.leaks import refuse_inside
    from groundkit_eval.report.terminal import print_result
    from groundkit_retrieval.tuning import RankingChoice

    chosen = _embedder(embedder, model, endpoint, api_key_env)
    if output is not None:
        check_output(output, judgments)
        refuse_inside(corpus, output, "the result file")
    with interruptible(), progress_bar() as progress:
        result = evaluate(
            corpus,
            judgments,
            limit=limit,
            language=language,
            embedder=chosen,
            ranking=RankingChoice(fusion, alpha),
            reranker=_reranker(reranker, reranker_model),
            progress=progress,
            notice=say,
        )
    if output is not None:
        write_text(output, result.to_json())
    print_result(result)


def _embedder(
    provider: str | None, model: str, endpoint: str, api_key_env: str
) -> EmbedderSettings | None:
    from groundkit_index.embedders import EmbedderSettings

    if provider is not None:
        return EmbedderSettings(provider, model=model, endpoint=endpoint, api_key_env=api_key_env)
    if model or endpoint or api_key_env:
        raise click.UsageError(
            "--model, --endpoint and --api-key-env need --embedder PROVIDER",
            click.get_current_context(),
        )
    return None


def _reranker(provider: str | None, model: str) -> RerankerSettings | None:
    from groundkit_retrieval.rerank import RerankerSettings

    if provider is not None:
        return RerankerSettings(provider, model=model)
    if model:
        raise click.UsageError(
            "--reranker-model needs --reranker NAME", click.get_current_context()
        )
    return None
