"""What every origin of documents can do."""

from __future__ import annotations

from typing import Protocol

from groundkit_core.model import FileSignature


class Origin(Protocol):
    """Reads the documents of one root by their source."""

    def stat(self, source: str) -> FileSignature | None:
        """Return what tells whether a document has changed, cheaply; None when it is gone."""

    def read(
        self, source: str, *, max_bytes: int, max_links: int | None = None
    ) -> tuple[bytes, FileSignature]:
        """Return a document's bytes and its signature.

        Args:
            source: the document.
            max_bytes: a larger one is refused unread.
            max_links: how many names a file may have; None takes any number.

        Raises:
            DocumentRefusedError: it cannot be had, with a reason.
        """

    def commit(self) -> str | None:
        """Return the commit that the documents are read at; None where there is none."""
