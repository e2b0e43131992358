"""Text to tokens: what is indexed, what is searched, and where they meet."""

from __future__ import annotations

from groundkit_core.analysis.analyzer import Analyzer

__all__ = ["Analyzer"]
