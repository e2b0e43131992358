"""How sure the engine is that what it found bears on the query."""

from groundkit_retrieval.confidence.gate import Gate, Threshold, shipped_gate
from groundkit_retrieval.confidence.signals import Signals, measure

__all__ = ["Gate", "Signals", "Threshold", "measure", "shipped_gate"]
