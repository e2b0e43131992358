"""Documents in a folder, and in the archives in it."""

from __future__ import annotations

from pathlib import Path

from groundkit_core.model import FileSignature
from groundkit_core.paths import read_beneath, stat_beneath
from groundkit_index.sources.members import MEMBER, read_member


class FolderOrigin:
    """Files below a folder; `archive.zip!/member` is a member of an archive below it.

    Args:
        folder: absolute.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def stat(self, source: str) -> FileSignature | None:
        """Return the signature of a file, or of the archive that holds the member."""
        return stat_beneath(self._folder, source.partition(MEMBER)[0])

    def read(
        self, source: str, *, max_bytes: int, max_links: int | None = None
    ) -> tuple[bytes, FileSignature]:
        """Return the bytes of a file or of a member of an archive; see `Origin`."""
        archive, mark, member = source.partition(MEMBER)
        if mark:
            return read_member(self._folder, archive, member, max_bytes=max_bytes)
        return read_beneath(self._folder, source, max_bytes=max_bytes, max_links=max_links)

    def commit(self) -> None:
        """A folder has none."""
