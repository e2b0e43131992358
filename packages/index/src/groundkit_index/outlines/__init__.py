"""Outlines of source code by its grammar."""

from groundkit_index.outlines.treesitter import has_grammars, outline_of

__all__ = ["has_grammars", "outline_of"]
