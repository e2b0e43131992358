"""`groundkit-eval schema`: the JSON Schema of what the commands write."""

from __future__ import annotations

import click

from groundkit_eval.cli.options import debug_option
from groundkit_eval.schemas import NAMES


@click.command()
@click.argument("name", type=click.Choice(NAMES), default=NAMES[0])
@debug_option
def schema(name: str) -> None:
    """Print the JSON Schema of a file: `result` of `run`, `comparison` of `compare`."""
    from groundkit_eval.schemas import schema_text

    click.echo(schema_text(name), nl=False)
