"""`groundkit-eval run`: measure every stage on judged queries."""

from __future__ import annotations

from pathlib import Path

import click

from groundkit_eval.cli.options import FILE, debug_option
from groundkit_eval.cli.progress import progress_bar
from groundkit_eval.cli.signals import interruptible


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
@debug_option
def run(corpus: Path, judgments: Path, output: Path | None, limit: int, language: str) -> None:
    """Index a folder into a temporary collection and measure every stage on judged queries.

    The collection is removed afterwards and nothing is written to the folder.
    """
    from groundkit_eval.evaluation import evaluate
    from groundkit_eval.files import write_text
    from groundkit_eval.report.terminal import print_result

    if output is not None:
        _check_output(output, corpus, judgments)
    with interruptible(), progress_bar() as progress:
        result = evaluate(corpus, judgments, limit=limit, language=language, progress=progress)
    if output is not None:
        write_text(output, result.to_json())
    print_result(result)


def _check_output(output: Path, corpus: Path, judgments: Path) -> None:
    from groundkit_eval.files import check_writable
    from groundkit_eval.judgments.leaks import refuse_inside

    check_writable(output)
    refuse_inside(corpus, output, "the result file")
    if output.resolve() == judgments.resolve():
        raise click.UsageError("--json would overwrite the judgments", click.get_current_context())
