"""Embedders behind HTTP: one client for all, one small file for each wire format."""

from __future__ import annotations

from groundkit_index.embedders.remote.embedder import RemoteEmbedder

__all__ = ["RemoteEmbedder"]
