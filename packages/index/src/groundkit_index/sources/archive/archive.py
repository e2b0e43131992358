"""Opens an archive of any format."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits
from groundkit_index.sources.archive.formats import HEAD_BYTES, format_of_bytes
from groundkit_index.sources.archive.member import Member
from groundkit_index.sources.archive.tars import TarMembers
from groundkit_index.sources.archive.zips import ZipMembers


class Members(Protocol):
    """What each format can do; see `Archive`."""

    members: tuple[Member, ...]

    def contents(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | str]]:
        """Yield wanted members with their bytes, or with the reason why there are none."""


class Archive:
    """The members of an archive, in its order.

    A context manager. The archive was looked through when it was opened, so that a truncated,
    broken or drowning one is refused before anything of it is used.
    """

    def __init__(self, file: BinaryIO, found: Members) -> None:
        self._file = file
        self._found = found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def members(self) -> Iterator[Member]:
        """Yield what the archive lists; folders are left out."""
        return iter(self._found.members)

    def contents(self, wanted: Callable[[str], bool]) -> Iterator[tuple[Member, bytes]]:
        """Yield the wanted members that can be read, with their bytes, in one pass.

        A member that turns out to be damaged is left out; `members` then has its reason.

        Args:
            wanted: takes a member's name.

        Raises:
            DocumentRefusedError: `over_limit`; all of them together are too much. In a ZIP file
                nothing has been yielded then.
        """
        for member, data in self._found.contents(lambda member: wanted(member.name)):
            if isinstance(data, bytes):
                yield member, data
            else:
                self._found.members = tuple(
                    Member(one.name, one.size, data) if one is member else one
                    for one in self._found.members
                )

    def read(self, name: str) -> bytes:
        """Return the bytes of one member.

        Raises:
            DocumentRefusedError: `missing`, or the member's reason.
        """
        named = [one for one in self._found.members if one.name == name]
        member = next((one for one in named if one.reason is None), None)
        if member is None:
            reason = named[-1].reason if named else None
            raise DocumentRefusedError(
                reason or "missing", "the archive has no such member to read"
            )
        for _, data in self._found.contents(lambda one: one is member):
            if isinstance(data, bytes):
                return data
            raise DocumentRefusedError(data, "the member cannot be unpacked")
        raise DocumentRefusedError("broken", "the archive has changed")


def _members(file: BinaryIO, limits: Limits, max_bytes: int) -> Members:
    kind = format_of_bytes(file.read(HEAD_BYTES))
    if kind is None:
        raise DocumentRefusedError("broken", "it is no archive")
    if kind == "zip":
        return ZipMembers(file, limits, max_bytes)
    return TarMembers(file, kind, limits, max_bytes)


def _file(source: bytes | Path | BinaryIO) -> BinaryIO:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    return source.open("rb") if isinstance(source, Path) else source


def open_archive(source: bytes | Path | BinaryIO, limits: Limits, *, max_bytes: int) -> Archive:
    """Open an archive and look it through.

    Args:
        source: its bytes, or a regular file, which is closed with the archive.
        limits: `members`, `unpacked_bytes`, `ratio` and `seconds` for one pass.
        max_bytes: larger members are refused.

    Raises:
        DocumentRefusedError: `broken`: truncated, damaged, or no archive; `over_limit`: it has
            or unpacks to far more than it should, or takes too long.
    """
    file = _file(source)
    try:
        return Archive(file, _members(file, limits, max_bytes))
    except BaseException:
        file.close()
        raise
