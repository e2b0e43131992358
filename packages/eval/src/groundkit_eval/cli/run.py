"""`groundkit-eval run`: measure every stage on judged queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundkit_core.contracts import FusionMethod
from groundkit_eval.cli.asked import Asked, asked_options
from groundkit_eval.cli.held import Held, held_options
from groundkit_eval.cli.options import FILE, debug_option, say
from groundkit_eval.cli.progress import progress_bar
from groundkit_eval.cli.signals import interruptible, resumable

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_retrieval.rerank import RerankerSettings

_SHOWN = 5


@click.command()
@asked_options
@click.option("--json", "output", type=FILE, metavar="OUT", help="Write the result to this file.")
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
@held_options
@click.option(
    "--ignore-significance",
    is_flag=True,
    help="With --baseline: fail for the gates alone, not for a significant loss.",
)
@debug_option
def run(
    asked: Asked,
    output: Path | None,
    embedder: str | None,
    model: str,
    endpoint: str,
    api_key_env: str,
    fusion: FusionMethod | None,
    alpha: float | None,
    reranker: str | None,
    reranker_model: str,
    held: Held,
    *,
    ignore_significance: bool,
) -> None:
    """Measure retrieval on judged queries: of a folder, a collection, servers, or kept runs.

    A folder is indexed into a temporary collection and every stage is measured. With an embedder
    the stages 'dense' and 'hybrid' are measured too, with a reranker a stage that reranks.
    The collection is removed afterwards and nothing is written to the folder.
    With a baseline the differences are shown, and a significant loss or a gate that is not kept
    fails.
    """
    from groundkit_eval.evaluation import evaluate_plan
    from groundkit_eval.files import write_text
    from groundkit_eval.gates import refuse_failed
    from groundkit_eval.report.terminal import print_comparison, print_result
    from groundkit_eval.setup import Setup
    from groundkit_retrieval.tuning import RankingChoice

    chosen = _embedder(embedder, model, endpoint, api_key_env)
    asked.check_output(output)
    held.check_output(output)
    plan = asked.plan(
        Setup(chosen, RankingChoice(fusion, alpha), _reranker(reranker, reranker_model))
    )
    baseline = held.load(significant=not ignore_significance)
    with interruptible(), resumable(asked.resume), progress_bar() as progress:
        result = evaluate_plan(plan, progress=progress, notice=say)
    if output is not None:
        write_text(output, result.to_json())
    print_result(result)
    if baseline is not None:
        found, gates = baseline.compare(result)
        click.echo()
        print_comparison(found, gates, shown=_SHOWN)
        refuse_failed(gates)


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
