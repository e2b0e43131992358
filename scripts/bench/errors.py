"""What can stop a benchmark."""

from __future__ import annotations


class BenchError(Exception):
    """A step of the benchmark failed; the message is one line."""


class CorpusAbsentError(BenchError):
    """The default corpus is not beside the checkout."""
