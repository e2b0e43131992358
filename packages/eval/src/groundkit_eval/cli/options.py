"""Options that the commands share."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(path_type=Path)

debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."
)
