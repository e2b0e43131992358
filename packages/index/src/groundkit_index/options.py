"""How a folder is ingested."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.contracts import SourceClass
from groundkit_core.model import ChunkSettings


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How a folder is ingested.

    Attributes:
        project: set for what is ingested and kept for later runs; None keeps what was set.
        source_class: the same for the source class; None decides by suffix and folder.
        language: language of a new collection; None takes the default or what the collection has.
        chunking: chunk sizes of a new collection; None likewise.
        max_file_bytes: larger files are refused.
        detect_encoding: guess encodings that are neither UTF-8 nor UTF-16.
        allow_empty: let an empty folder remove the documents it held.
        checksum: read files even when their signature is unchanged.
        allow_secrets: ids of rules of `groundkit_index.guard` that do not refuse a file; kept for
            later runs in the collection's manifest.
        workers: processes that read files; 1 stays in this one, None takes one a core. A program
            that sets None must be importable without running (`if __name__ == "__main__"`).
        lock_wait: seconds to wait for another writer.
    """

    project: str | None = None
    source_class: SourceClass | None = None
    language: str | None = None
    chunking: ChunkSettings | None = None
    max_file_bytes: int = 16 * 2**20
    detect_encoding: bool = True
    allow_empty: bool = False
    checksum: bool = False
    allow_secrets: tuple[str, ...] = ()
    workers: int | None = 1
    lock_wait: float = 60.0
