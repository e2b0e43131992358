"""The `groundkit` command."""

from groundkit_retrieval.cli.app import main

__all__ = ["main"]
