"""Contracts, text and spans, chunking, analysis and anchors of groundkit."""

__version__ = "0.1.0"
