"""`groundkit-eval compare`: the differences between two results, or two stages of one."""

from __future__ import annotations

from pathlib import Path

import click

from groundkit_eval.cli.held import allow_option, gate_option
from groundkit_eval.cli.options import FILE, debug_option


@click.command()
@click.argument("baseline", type=FILE)
@click.argument("result", type=FILE, required=False)
@click.option(
    "--stage", "stages", multiple=True, metavar="NAME", help="Stage to compare [default: all]."
)
@click.option(
    "--against",
    metavar="NAME",
    help="Stage of BASELINE to compare with [default: the one of the same name].",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="Measure to test [default: all]; fewer tests find smaller differences.",
)
@click.option("--by", metavar="NAME", help="Measure of the gains and losses [default: ndcg@10].")
@gate_option
@allow_option
@click.option("--json", "output", type=FILE, metavar="OUT", help="Write the comparison to a file.")
@debug_option
def compare(
    baseline: Path,
    result: Path | None,
    stages: tuple[str, ...],
    against: str | None,
    measures: tuple[str, ...],
    by: str | None,
    gates: tuple[str, ...],
    output: Path | None,
    *,
    allow: bool,
) -> None:
    """Compare RESULT with BASELINE, both written by `run --json`, query by query.

    Without RESULT the stages of one file are compared with the first of them, or with the one
    that --against names. Fails when a gate is not kept.
    """
    from groundkit_eval.comparison import compare as run
    from groundkit_eval.files import check_writable, write_text
    from groundkit_eval.gates import check_gates, parse_gate, refuse_failed
    from groundkit_eval.report.load import load_result
    from groundkit_eval.report.terminal import print_comparison

    if output is not None:
        check_writable(output)
    parsed = [parse_gate(text) for text in dict.fromkeys(gates)]
    before = load_result(baseline)
    after = before if result is None else load_result(result)
    if result is None and against is None:
        against = before.settings.baseline
    found = run(
        before,
        after,
        stages=stages,
        against=against,
        measures=measures,
        by=by,
        allow_different_judgments=allow,
    )
    kept = check_gates(parsed, found)
    if output is not None:
        write_text(output, found.to_json())
    print_comparison(found, kept)
    refuse_failed(kept)
