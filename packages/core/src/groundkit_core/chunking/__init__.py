"""Splitting documents into chunks along their structure."""

from groundkit_core.chunking.dispatch import chunk

__all__ = ["chunk"]
