"""What an ingest does to one document."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.contracts import SourceClass
from groundkit_core.model import FileSignature
from groundkit_index.catalog.records import KnownDocument, RootRecord
from groundkit_index.prepared import PreparedDocument
from groundkit_index.writer import VersionWriter


class Change:
    """A change of the catalog."""

    def apply(self, writer: VersionWriter, root: RootRecord, counts: dict[str, int]) -> int:
        """Write it in the open batch, count it, and return the characters that were written."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Put(Change):
    """Add a document or replace one."""

    document: PreparedDocument
    before: KnownDocument | None
    count: str

    def apply(self, writer: VersionWriter, root: RootRecord, counts: dict[str, int]) -> int:
        """Put the document."""
        writer.put_document(root, self.document, self.before)
        counts[self.count] += 1
        return self.document.characters


@dataclass(frozen=True, slots=True)
class Touch(Change):
    """Record a new signature of an unchanged file."""

    before: KnownDocument
    signature: FileSignature

    def apply(self, writer: VersionWriter, root: RootRecord, counts: dict[str, int]) -> int:
        """Record the signature."""
        writer.catalog.touch_document(self.before, self.signature)
        counts["unchanged"] += 1
        return 0


@dataclass(frozen=True, slots=True)
class Relabel(Change):
    """Let a document stand at another place or under other labels."""

    before: KnownDocument
    source: str
    source_class: SourceClass
    project: str
    signature: FileSignature
    count: str

    def apply(self, writer: VersionWriter, root: RootRecord, counts: dict[str, int]) -> int:
        """Relabel the document."""
        writer.catalog.relabel_document(
            self.before, root, self.source, self.source_class, self.project, self.signature
        )
        counts[self.count] += 1
        return 0


@dataclass(frozen=True, slots=True)
class Remove(Change):
    """Remove a document."""

    before: KnownDocument

    def apply(self, writer: VersionWriter, root: RootRecord, counts: dict[str, int]) -> int:
        """Remove the document."""
        writer.catalog.remove_document(self.before)
        counts["removed"] += 1
        return 0
