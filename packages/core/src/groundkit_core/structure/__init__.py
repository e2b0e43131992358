"""Text that was taken out of a document, with the structure it had there."""

from groundkit_core.structure.builder import TextBuilder
from groundkit_core.structure.model import Box, Extraction, Piece, Place, Where
from groundkit_core.structure.splitting import chunk_structured

__all__ = [
    "Box",
    "Extraction",
    "Piece",
    "Place",
    "TextBuilder",
    "Where",
    "chunk_structured",
]
