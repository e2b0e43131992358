"""Options that the commands share."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(path_type=Path)

debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."
)


def check_output(output: Path, judgments: Path) -> None:
    """Check before long work that the result can be written, and not over the judgments."""
    from groundkit_eval.files import check_writable

    check_writable(output)
    if output.resolve() == judgments.resolve():
        raise click.UsageError("--json would overwrite the judgments", click.get_current_context())


def say(message: str) -> None:
    """Tell the person who waits one line, on standard error."""
    click.echo(f"groundkit-eval: {message}", err=True)
