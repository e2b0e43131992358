"""How sure the engine is that what it found answers the query."""

from __future__ import annotations

from groundkit_retrieval.confidence.gate import Gate, Levels, shipped_gate
from groundkit_retrieval.confidence.signals import SIGNALS, Signals, measure

__all__ = ["SIGNALS", "Gate", "Levels", "Signals", "measure", "shipped_gate"]
