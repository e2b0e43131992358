"""Members of archives as documents: `archive.zip!/folder/page.md`."""

from __future__ import annotations

from pathlib import Path

from groundkit_core.model import FileSignature

MEMBER = "!/"
"""Stands between an archive and the member that is meant."""


def is_member(source: str) -> bool:
    """Return whether a source is a member of an archive."""
    return MEMBER in source


def read_member(
    root: Path, archive: str, member: str, *, max_bytes: int
) -> tuple[bytes, FileSignature]:
    """Return the bytes of a member of an archive below a root, and the archive's signature.

    Raises:
        DocumentRefusedError: the archive or the member cannot be had.
    """
    raise NotImplementedError
