"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.contracts.base import Contract
from groundkit_core.settings import Settings
from groundkit_index import IngestOptions

_F = TypeVar("_F", bound=Callable[..., Any])


def collection_options(command: _F) -> _F:
    """Add `--collection` and `--index-dir`."""
    command = click.option("--collection", metavar="NAME", help="Collection [default: default].")(
        command
    )
    return click.option("--index-dir", metavar="DIR", help="Index folder [default: .groundkit].")(
        command
    )


def fusion_options(command: _F) -> _F:
    """Add `--fusion` and `--alpha`."""
    command = click.option(
        "--alpha",
        type=click.FloatRange(0, 1),
        help="Weight of meaning in 'weighted' [default: the collection's, or 0.5].",
    )(command)
    return click.option(
        "--fusion",
        type=click.Choice(["weighted", "rrf"]),
        help="How words and meaning are joined [default: the collection's, or weighted].",
    )(command)


json_option = click.option("--json", "as_json", is_flag=True, help="Print the contract as JSON.")
project_option = click.option("--project", metavar="P", help="Project of the documents.")


def class_option(*, all_allowed: bool) -> Callable[[_F], _F]:
    """Return the `--source-class` option; searches may ask for `all`."""
    if all_allowed:
        return click.option(
            "--source-class",
            type=click.Choice(["all", *SOURCE_CLASSES]),
            default="all",
            show_default=True,
            help="Kind of documents; 'all' leaves out 'config'.",
        )
    return click.option(
        "--source-class",
        type=click.Choice(SOURCE_CLASSES),
        help="Kind of the documents [default: by suffix and folder].",
    )


def print_json(model: Contract) -> None:
    """Print a contract as JSON on stdout, in UTF-8 whatever the locale says."""
    sys.stdout.buffer.write(model.model_dump_json(indent=2).encode() + b"\n")


def say(message: str) -> None:
    """Tell the person who waits one line, on stderr."""
    click.echo(f"groundkit: {message}", err=True)


def ingest_options(settings: Settings, **more: Any) -> IngestOptions:
    """Return how to ingest by the settings; `more` are fields that flags set."""
    return IngestOptions(
        language=settings.language,
        chunking=settings.chunking,
        max_file_bytes=settings.max_file_bytes,
        detect_encoding=settings.detect_encoding,
        lock_wait=settings.lock_wait_seconds,
        workers=None,
        **more,
    )
