"""Members of archives as documents: `archive.zip!/folder/page.md`."""

from __future__ import annotations

import atexit
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import kind_of
from groundkit_core.model import FileSignature, SourceFile
from groundkit_core.paths import open_beneath, stat_beneath
from groundkit_index.loaders.protocol import Limits
from groundkit_index.sources.archive import Archive, Member, is_archive, open_archive
from groundkit_index.sources.archive.formats import HEAD_BYTES, format_of_name
from groundkit_index.sources.scan import Scan
from groundkit_index.sources.skip import is_hidden, skip_by_name

MEMBER = "!/"
"""Stands between an archive and the member that is meant."""

_NO_NAMES = frozenset({"invalid_name", "outside_root"})
_LARGEST_ARCHIVE = 2 * 2**30


def is_member(source: str) -> bool:
    """Return whether a source is a member of an archive."""
    return MEMBER in source


def is_archive_name(name: str) -> bool:
    """Return whether a file is called like an archive that is read in place."""
    return format_of_name(name) is not None


def scan_archive(root: Path, archive: str, *, max_bytes: int) -> Scan | None:
    """Return the documents in an archive; None when it is none, but a program or a document.

    Args:
        root: the root's folder.
        archive: its path below the root, in POSIX form.
        max_bytes: larger members are refused.

    Raises:
        DocumentRefusedError: it is broken, drowning, or cannot be had.
    """
    file, signature = open_beneath(root, archive, max_bytes=_LARGEST_ARCHIVE)
    with file:
        head = file.read(HEAD_BYTES)
        file.seek(0)
        if not is_archive(head, archive):
            return None
        with open_archive(file, Limits(), max_bytes=max_bytes) as opened:
            members = list(opened.members())
    if not is_archive(head, archive, [member.name for member in members]):
        return None
    return _sorted_out(archive, members, signature)


def _sorted_out(archive: str, members: list[Member], signature: FileSignature) -> Scan:
    files: list[SourceFile] = []
    refused: list[tuple[str, str]] = []
    skipped: Counter[str] = Counter()
    for member in members:
        source = f"{archive}{MEMBER}{member.name}"
        reason = _why_skipped(member)
        if reason is not None:
            skipped[reason] += 1
        elif member.reason is not None:
            refused.append((source, member.reason))
        else:
            files.append(SourceFile(source, signature))
    return Scan(files=tuple(files), refused=tuple(refused), skipped=dict(skipped))


def _why_skipped(member: Member) -> str | None:
    if member.reason == "nested_archive":
        return "nested_archive"
    if member.reason in _NO_NAMES:
        return None
    *folders, name = member.name.split("/")
    for folder in folders:
        if folder == "__MACOSX":
            return "hidden"
        reason = skip_by_name(folder, follow_hidden=False) if folder else None
        if reason is not None:
            return reason
    if is_hidden(name, is_folder=False):
        return "hidden"
    return None if kind_of(name) else "unsupported_type"


def read_member(
    root: Path, archive: str, member: str, *, max_bytes: int
) -> tuple[bytes, FileSignature]:
    """Return the bytes of a member of an archive below a root, and the archive's signature.

    Raises:
        DocumentRefusedError: the archive or the member cannot be had.
    """
    signature = stat_beneath(root, archive)
    if signature is None:
        raise DocumentRefusedError("missing")
    with _LOCK:
        key = (str(root), archive, signature, max_bytes)
        if _held.key != key:
            _held.open(key, root, archive, max_bytes)
        return _held.read(member), signature


class _Held:
    """The archive that was read last, at the member that was read last.

    Members are mostly asked for in the order in which they stand, so that a packed archive is
    unpacked once and not once for each of them.
    """

    def __init__(self) -> None:
        self.key: object = None
        self._archive: Archive | None = None
        self._passing: Iterator[tuple[Member, bytes]] = iter(())

    def open(self, key: object, root: Path, archive: str, max_bytes: int) -> None:
        self.close()
        file, _ = open_beneath(root, archive, max_bytes=_LARGEST_ARCHIVE)
        self._archive = open_archive(file, Limits(), max_bytes=max_bytes)
        self._passing = self._archive.contents(lambda _name: True)
        self.key = key

    def close(self) -> None:
        """Close what is open; for the end of the process."""
        self.key, before, self._archive = None, self._archive, None
        if before is not None:
            before.close()

    def read(self, name: str) -> bytes:
        for member, data in self._passing:
            if member.name == name:
                return data
        if self._archive is None:
            raise DocumentRefusedError("missing")
        data = self._archive.read(name)  # it stands before the last one, or is not there
        self._passing = self._archive.contents(lambda _name: True)
        return data


_LOCK = threading.Lock()
_held = _Held()
atexit.register(_held.close)
