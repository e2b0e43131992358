"""Finds the documents that stand at another place now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.catalog.records import KnownDocument
from groundkit_index.origins import Origin
from groundkit_index.prepare import digest


class Moves:
    """Documents whose place is empty or holds something else, by the digest of their bytes.

    Args:
        origin: reads the documents of the root.
        max_bytes: larger files are not read.
    """

    def __init__(self, origin: Origin, max_bytes: int) -> None:
        self._origin = origin
        self._max_bytes = max_bytes
        self._gone: dict[str, list[KnownDocument]] = defaultdict(list)
        self._suspected: dict[str, list[KnownDocument]] = defaultdict(list)

    def vanished(self, documents: Iterable[KnownDocument]) -> None:
        """Count documents in whose files are gone."""
        for document in documents:
            self._gone[document.sha256].append(document)

    def changed(self, document: KnownDocument) -> None:
        """Count a document in whose file looks changed."""
        self._suspected[document.sha256].append(document)

    @property
    def digests(self) -> frozenset[str]:
        """The digests by which a new file may be a document that moved."""
        return frozenset(self._gone) | frozenset(self._suspected)

    def take(self, source: str, sha256: str | None) -> KnownDocument | None:
        """Return the document that moved to `source`, once; the one with the likest path."""
        if sha256 is None:
            return None
        for group in (self._gone, self._suspected):
            for document in sorted(
                group.get(sha256, ()), key=lambda known: _unlike(known.source, source)
            ):
                if group is self._gone or not self._still_there(document):
                    group[sha256].remove(document)
                    return document
        return None

    def _still_there(self, document: KnownDocument) -> bool:
        try:
            data, _ = self._origin.read(document.source, max_bytes=self._max_bytes)
        except DocumentRefusedError:
            return False
        return digest(data) == document.sha256

    def left(self) -> list[KnownDocument]:
        """Return the documents whose files are gone and were not found elsewhere."""
        return [document for documents in self._gone.values() for document in documents]


def _unlike(first: str, second: str) -> int:
    """Return minus the number of path parts that agree, counted from the end."""
    pairs = zip(reversed(first.split("/")), reversed(second.split("/")), strict=False)
    agree = 0
    for one, other in pairs:
        if one != other:
            break
        agree += 1
    return -agree
