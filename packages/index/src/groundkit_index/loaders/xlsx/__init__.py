"""Takes the text out of spreadsheets (XLSX, XLSM, XLTX)."""

from __future__ import annotations

from groundkit_core.structure import Extraction
from groundkit_index.loaders.ooxml.package import Package
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing
from groundkit_index.loaders.xlsx.workbook import Workbook
from groundkit_index.loaders.xlsx.writing import Writer
from groundkit_index.loaders.xmltree import VERSION


class XlsxLoader:
    """Reads the sheets in order, each as tables of what its cells show; not what is hidden."""

    version = f"1, {VERSION}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the text and structure of a workbook; see `Loader.load`."""
        with refusing():
            package = Package(data, limits)
            workbook = Workbook(package, limits)
            writer = Writer(limits)
            for sheet in workbook.sheets():
                writer.write(sheet)
            return writer.builder.result(
                package.title(),
                where=writer.places.where,
                hidden=workbook.hidden,
                notes=workbook.report(),
            )


LOADER = XlsxLoader()
