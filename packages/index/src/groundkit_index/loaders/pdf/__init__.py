"""PDF documents, read with PDFium."""

from groundkit_index.loaders.pdf.image import draw_page
from groundkit_index.loaders.pdf.loader import PdfLoader

__all__ = ["LOADER", "PdfLoader", "draw_page"]

LOADER = PdfLoader()
