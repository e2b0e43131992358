"""Embedders: text to vectors, behind one protocol and one registry."""

from __future__ import annotations

from groundkit_index.embedders.registry import PROVIDERS, make_embedder
from groundkit_index.embedders.settings import EmbedderSettings

__all__ = ["PROVIDERS", "EmbedderSettings", "make_embedder"]
