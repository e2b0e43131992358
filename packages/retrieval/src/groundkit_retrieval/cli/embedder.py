"""Options that choose an embedder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from groundkit_index.embedders import EmbedderSettings

_F = TypeVar("_F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--embedder", metavar="PROVIDER", help="fastembed, onnx, ollama, openai or hash."),
    click.option("--model", help="Model name; for onnx the folder that holds it."),
    click.option("--endpoint", metavar="URL", help="Address of ollama or openai."),
    click.option("--api-key-env", metavar="NAME", help="Variable that holds the key."),
    click.option("--query-prefix", help="Put before a query."),
    click.option("--document-prefix", help="Put before a passage."),
)


def embedder_options(command: _F) -> _F:
    """Add `--embedder` and what belongs to it."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_embedder(embedder: str | None, **options: str | None) -> EmbedderSettings | None:
    """Return the embedder that the options name, or None.

    Raises:
        click.UsageError: options of an embedder without `--embedder`.
    """
    from groundkit_index.embedders import EmbedderSettings

    given = {name: value for name, value in options.items() if value is not None}
    if embedder is not None:
        return EmbedderSettings(embedder, **given)  # type: ignore[arg-type]
    if given:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise click.UsageError(f"--embedder PROVIDER is missing, which {names} belongs to.")
    return None
