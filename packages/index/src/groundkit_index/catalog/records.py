"""Rows of the catalog as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundkit_core.contracts import SourceClass
from groundkit_core.model import FileSignature

if TYPE_CHECKING:
    from groundkit_core.access.declarations import Declared


@dataclass(frozen=True, slots=True)
class RootRecord:
    """A registered root; `path` is absolute and stays inside the process."""

    root_key: int
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """What access to a document is decided by.

    Attributes:
        declared: what its front matter says about access.
    """

    doc_key: int
    root: str
    source: str
    source_class: SourceClass
    project: str
    declared: Declared


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the writer needs of a document that the catalog holds."""

    doc_key: int
    document_id: str
    root_key: int
    source: str
    kind: str
    source_class: SourceClass
    project: str
    title: str
    sha256: str
    signature: FileSignature


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A chunk with its document, ready to be cited.

    Attributes:
        start: first code point in the text at ingest.
        end: one past the last.
        signature: what `stat` said of the source at ingest.
        kind: the name of its `Kind`.
        extractor: what took the text out, and its version; None where the source is the text.
        place: where it stands in the source, as `place_text` made it; empty for lines only.
    """

    chunk_key: int
    chunk_id: str
    content: str
    start: int
    end: int
    start_line: int
    end_line: int
    heading_path: tuple[str, ...]
    page: int | None
    prefix: str
    suffix: str
    doc_key: int
    document_id: str
    root_key: int
    root: str
    source: str
    source_class: SourceClass
    project: str
    title: str
    encoding: str
    sha256: str
    signature: FileSignature
    kind: str = "text"
    extractor: str | None = None
    place: str = ""
