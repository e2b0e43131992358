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


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document with its chunks in order.

    Attributes:
        declared: what its front matter says about access.
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

    @property
    def characters(self) -> int:
        """Code points of all chunks."""
        return sum(len(chunk.content) for chunk in self.chunks)
