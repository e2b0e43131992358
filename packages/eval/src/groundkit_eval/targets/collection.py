"""A collection that exists already; nothing is written to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_core.paths import read_beneath
from groundkit_core.text import decode
from groundkit_eval.judgments.anchoring import MAX_SOURCE_BYTES
from groundkit_eval.preparing import bound
from groundkit_eval.setup import Setup
from groundkit_eval.targets.folder import Target, documents_of

if TYPE_CHECKING:
    from groundkit_index import IndexReader
    from groundkit_index.snapshot import Snapshot


def existing_collection(index_dir: Path, name: str, setup: Setup) -> Target:
    """Return a collection as a target.

    Raises:
        CollectionNotFoundError: there is no such collection.
        SourceError: it holds nothing.
    """
    from groundkit_index import IndexReader

    with IndexReader.open(index_dir, name) as reader:
        chunks = tuple(reader.chunks())
        if not chunks:
            raise SourceError(f"the collection {name} is empty; ingest a folder first")
        settings = reader.read(lambda snapshot: snapshot.facts().settings)
        target = Target(index_dir, name, settings, {}, chunks, documents_of(chunks))
        return reader.read(lambda snapshot: bound(target, setup, snapshot))


class CollectionTexts:
    """The texts of a collection's documents, as its spans count them.

    Args:
        reader: the open collection.
    """

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._documents = reader.read(_documents)

    def read(self, source: str) -> str:
        """Return the text of a source: as it was extracted, or out of its folder.

        Raises:
            DocumentRefusedError: there is no such source, or it cannot be read.
        """
        if source not in self._documents:
            raise DocumentRefusedError("not in the collection")
        doc_key, root = self._documents[source]
        extracted = self._reader.read(lambda snapshot: snapshot.text(doc_key))
        if extracted is not None:
            return extracted
        if not Path(root).is_dir():
            raise DocumentRefusedError("its folder is gone")
        data, _ = read_beneath(Path(root), source, max_bytes=MAX_SOURCE_BYTES)
        return decode(data).text


def _documents(snapshot: Snapshot) -> dict[str, tuple[int, str]]:
    """Return key and root of each document, by source; the first root by name counts."""
    paths = {root.name: root.path for root in snapshot.roots()}
    found: dict[str, tuple[int, str]] = {}
    for document in sorted(snapshot.labelled_documents(), key=lambda document: document.root):
        found.setdefault(document.source, (document.doc_key, paths[document.root]))
    return found
