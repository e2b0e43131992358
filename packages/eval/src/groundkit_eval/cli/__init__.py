"""The `groundkit-eval` command."""

from groundkit_eval.cli.app import main

__all__ = ["main"]
