"""Chunking: spans of a text along its own structure."""

from groundkit_core.chunking.dispatch import chunk

__all__ = ["chunk"]
