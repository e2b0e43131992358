"""The values that pass between the layers of one process."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.kinds import Kind


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A document's text and the encoding that gives it back from the bytes.

    Attributes:
        text: the decoded source, newlines untouched, without a BOM.
        encoding: a Python codec name, such as `utf-8`, `utf-8-sig` or `utf-16`.
    """

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class FileSignature:
    """What one `stat` says of a file; while it is equal, the bytes are taken to be.

    Attributes:
        size: bytes.
        mtime_ns: time of the last change of the content, in nanoseconds.
        ctime_ns: time of the last change of the inode, in nanoseconds.
        inode: inode number.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How large chunks are, in code points.

    Attributes:
        target: the length that neighbouring blocks are gathered up to.
        cap: the length that no chunk exceeds.
        overlap: how far a chunk reaches back into the one before it.
    """

    target: int = 1000
    cap: int = 2000
    overlap: int = 0


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk as a span of the text: its content is exactly `text[start:end]`."""

    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ChunkedText:
    """A document's title and its chunks in order."""

    title: str
    spans: tuple[ChunkSpan, ...]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that a source offers for ingest.

    Attributes:
        source: the path below the root, in POSIX form.
        signature: what `stat` said when it was listed.
        kind: what it is, where its name does not tell.
    """

    source: str
    signature: FileSignature
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class EmbeddingIdentity:
    """What must agree for two vectors to be comparable; bound to a collection.

    Attributes:
        provider: name in the registry of embedders, such as `onnx`.
        model: the model's name.
        revision: digest or version of the weights; empty when the provider does not tell.
        dimensions: length of a vector.
        normalized: whether vectors have unit length.
        query_prefix: put before a query.
        document_prefix: put before a passage.
    """

    provider: str
    model: str
    revision: str
    dimensions: int
    normalized: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
