"""Contracts, text and spans, chunking, analysis and anchors of groundkit.

Import from the modules, such as `groundkit_core.contracts`; this one stays quick to import.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
