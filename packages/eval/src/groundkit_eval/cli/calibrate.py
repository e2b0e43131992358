"""`groundkit-eval calibrate`: choose the threshold of a collection's confidence gate."""

from __future__ import annotations

from pathlib import Path

import click

from groundkit_core.contracts import Mode
from groundkit_eval.cli.options import FILE, check_output, debug_option, say
from groundkit_eval.cli.progress import progress_bar
from groundkit_eval.cli.signals import interruptible


@click.command()
@click.option("--collection", metavar="NAME", help="Collection [default: default].")
@click.option("--index-dir", metavar="DIR", help="Index folder [default: .groundkit].")
@click.option("--judgments", type=FILE, required=True, help="Judged queries, as JSON Lines.")
@click.option(
    "--max-false-answer-rate",
    "rate",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    required=True,
    help="Share of unanswerable queries that may be answered, such as 0.05.",
)
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "lexical", "dense"]),
    help="Mode to calibrate [default: the best the collection has].",
)
@click.option("--json", "output", type=FILE, metavar="OUT", help="Write the result to this file.")
@click.option("--dry-run", is_flag=True, help="Write nothing to the collection.")
@debug_option
def calibrate(
    collection: str | None,
    index_dir: str | None,
    judgments: Path,
    rate: float,
    mode: Mode | None,
    output: Path | None,
    *,
    dry_run: bool,
) -> None:
    """Choose below which probability a collection's confidence is low, for a false-answer rate.

    Half of the judged queries are held out, to measure what the threshold does.
    """
    from groundkit_core.settings import load_settings
    from groundkit_eval.calibration.calibrating import calibrate as run
    from groundkit_eval.files import write_text
    from groundkit_eval.report.calibration import describe

    if output is not None:
        check_output(output, judgments)
    settings = load_settings(index_dir=index_dir, collection=collection)
    with interruptible(), progress_bar() as progress:
        result = run(
            judgments,
            max_false_answer_rate=rate,
            collection=settings.collection,
            index_dir=settings.index_dir,
            mode=mode,
            dry_run=dry_run,
            wait=settings.lock_wait_seconds,
            progress=progress,
            notice=say,
        )
    if output is not None:
        write_text(output, result.to_json())
    click.echo(describe(result), nl=False)
