"""A document that is read, decoded and chunked, on its way into the catalog."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.access.declarations import Declared
from groundkit_core.contracts import SourceClass
from groundkit_core.model import FileSignature

NOTHING_DECLARED = Declared()


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk before it has a key; fields as in the catalog.

    Attributes:
        tokens: the analyzer's tokens of the content between spaces, for the lexical index.
        place: where it stands in the source, as `place_text` made it; empty for lines only.
    """

    start: int
    end: int
    start_line: int
    end_line: int
    heading_path: tuple[str, ...]
    page: int | None
    content: str
    prefix: str
    suffix: str
    tokens: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document with its chunks in order.

    Attributes:
        declared: what its front matter says about access.
        extractor: what took the text out, and its version; None where the source is the text.
        text: the extracted text, likewise.
        notes: what was left out of it, one line each.
        hidden: code points that were left out because a reader would not see them.
    """

    source: str
    kind: str
    source_class: SourceClass
    project: str
    title: str
    encoding: str
    sha256: str
    signature: FileSignature
    chunks: tuple[PreparedChunk, ...]
    declared: Declared = NOTHING_DECLARED
    extractor: str | None = None
    text: str | None = None
    notes: tuple[str, ...] = ()
    hidden: int = 0

    @property
    def characters(self) -> int:
        """Code points of all chunks."""
        return sum(len(chunk.content) for chunk in self.chunks)
