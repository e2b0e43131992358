"""What every loader is, and what it may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from groundkit_core.structure import Extraction


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may take; beyond it, it is refused.

    Attributes:
        pages: pages, slides, sheets or chapters.
        depth: how deep elements may nest.
        members: files in a container such as DOCX or EPUB.
        unpacked_bytes: bytes of all members together, unpacked.
        ratio: unpacked to packed bytes of one member, above which it is a bomb.
        characters: code points of the extracted text.
        seconds: how long it may take; the process that reads it is then ended.
        memory_bytes: address space that reading it may add.
    """

    pages: int = 10_000
    depth: int = 400
    members: int = 20_000
    unpacked_bytes: int = 512 * 2**20
    ratio: int = 200
    characters: int = 20_000_000
    seconds: float = 60.0
    memory_bytes: int = 1_500 * 2**20


class Loader(Protocol):
    """Takes the text out of documents of one format.

    Attributes:
        version: the loader's own version and those of the libraries that do the work, such as
            `1, pypdfium2 5.0`; a change of it may change the text.
    """

    @property
    def version(self) -> str:
        """See above."""

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the text and structure of a document.

        Deterministic: the same bytes give the same text.

        Raises:
            DocumentRefusedError: it is encrypted, broken, empty of text or beyond the limits;
                reasons are `encrypted`, `broken`, `no_text` and `over_limit`.
        """
