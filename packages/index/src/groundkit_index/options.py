"""How a folder is ingested."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundkit_core.contracts import SourceClass
from groundkit_core.model import ChunkSettings


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How a folder is ingested.

    Attributes:
        project: set for what is ingested and kept for later runs; None keeps what was set.
        source_class: the same for the source class; None decides by suffix and folder.
        language: language of a new collection.
        chunking: chunk sizes of a new collection.
        max_file_bytes: larger files are refused.
        detect_encoding: guess encodings that are neither UTF-8 nor UTF-16.
        allow_empty: let an empty folder remove the documents it held.
        checksum: read files even when their signature is unchanged.
        lock_wait: seconds to wait for another writer.
    """

    project: str | None = None
    source_class: SourceClass | None = None
    language: str = "english"
    chunking: ChunkSettings = field(default_factory=ChunkSettings)
    max_file_bytes: int = 16 * 2**20
    detect_encoding: bool = True
    allow_empty: bool = False
    checksum: bool = False
    lock_wait: float = 60.0
