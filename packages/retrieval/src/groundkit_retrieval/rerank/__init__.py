"""Rerankers: passages scored against the query again, by a closer look."""

from __future__ import annotations

from groundkit_retrieval.rerank.blending import blend
from groundkit_retrieval.rerank.protocol import Reranker
from groundkit_retrieval.rerank.registry import RERANKERS, make_reranker
from groundkit_retrieval.rerank.settings import RerankerSettings

__all__ = ["RERANKERS", "Reranker", "RerankerSettings", "blend", "make_reranker"]
