"""Takes the text out of Word documents (DOCX, DOCM, DOTX, DOTM)."""

from __future__ import annotations

from groundkit_core.structure import Extraction
from groundkit_index.loaders.docx.reading import Reader
from groundkit_index.loaders.docx.writing import Writer
from groundkit_index.loaders.ooxml.package import Package
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing
from groundkit_index.loaders.xmltree import VERSION


class DocxLoader:
    """Reads the body in order; headers, footers, comments and tables of contents are left out."""

    version = f"1, {VERSION}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the text and structure of a document; see `Loader.load`."""
        with refusing():
            package = Package(data, limits)
            reader = Reader(package, limits)
            writer = Writer(limits)
            for block in reader.body():
                writer.write(block)
                writer.notes.extend(reader.take_notes())
            writer.finish()
            return writer.builder.result(
                writer.title or package.title(), hidden=reader.hidden, notes=reader.report()
            )


LOADER = DocxLoader()
