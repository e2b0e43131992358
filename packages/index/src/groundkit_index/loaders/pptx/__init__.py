"""Takes the text out of presentations (PPTX, PPTM, PPSX, POTX)."""

from __future__ import annotations

from groundkit_core.structure import Extraction
from groundkit_index.loaders.ooxml.package import Package
from groundkit_index.loaders.pptx.deck import Deck
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing
from groundkit_index.loaders.xmltree import VERSION


class PptxLoader:
    """Reads the slides in the order of the show, each with its notes; hidden ones are left out."""

    version = f"1, {VERSION}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the text and structure of a presentation; see `Loader.load`."""
        with refusing():
            package = Package(data, limits)
            deck = Deck(package, limits)
            deck.write()
            return deck.builder.result(package.title(), hidden=deck.hidden, notes=deck.report())


LOADER = PptxLoader()
