"""`groundkit-eval report`: a result as a page, or as a comment for a pull request."""

from __future__ import annotations

from pathlib import Path

import click

from groundkit_eval.cli.held import Held, held_options
from groundkit_eval.cli.options import FILE, debug_option


@click.command()
@click.argument("result", type=FILE)
@held_options
@click.option("--html", "page", type=FILE, metavar="OUT", help="Write one self-contained page.")
@click.option(
    "--markdown", "comment", type=FILE, metavar="OUT", help="Write a comment for a pull request."
)
@debug_option
def report(result: Path, held: Held, page: Path | None, comment: Path | None) -> None:
    """Render RESULT, which `run --json` wrote, and its differences to a baseline.

    Fails when a gate is not kept, after everything has been written.
    """
    from groundkit_eval.files import check_writable, write_text
    from groundkit_eval.gates import refuse_failed
    from groundkit_eval.report.html import to_html
    from groundkit_eval.report.load import load_result
    from groundkit_eval.report.pull_request import to_comment

    outputs = [path for path in (page, comment) if path is not None]
    if not outputs:
        context = click.get_current_context()
        raise click.UsageError("--html OUT or --markdown OUT is missing", context)
    for path in outputs:
        check_writable(path)
    baseline = held.load()
    loaded = load_result(result)
    found, gates = baseline.compare(loaded) if baseline else (None, ())
    if page is not None:
        write_text(page, to_html(loaded, baseline.result if baseline else None, found, gates))
    if comment is not None:
        write_text(comment, to_comment(loaded, found, gates))
    for path in outputs:
        click.echo(f"{path.name} written")
    refuse_failed(gates)
