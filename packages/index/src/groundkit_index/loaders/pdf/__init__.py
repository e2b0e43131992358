"""PDF documents, read with PDFium."""

from groundkit_index.loaders.pdf.loader import PdfLoader

__all__ = ["LOADER", "PdfLoader"]

LOADER = PdfLoader()
