"""What the tree objects of a repository list."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass

from dulwich.objects import parse_tree

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.model import FileSignature

_SUBMODULE = 0o160000
_WINDOWS_ABSOLUTE = re.compile(r"(?:[A-Za-z]:)?\\")


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file, folder, link or submodule, as `os.DirEntry` tells of those on disk.

    Attributes:
        name: the name; bytes that are not UTF-8 are escaped as the file system does it.
        mode: type and permissions, as in `stat`.
        oid: the id of its object, in hex.
    """

    name: str
    mode: int
    oid: str

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Return whether it is a folder."""
        return stat.S_ISDIR(self.mode)

    def is_symlink(self) -> bool:
        """Return whether it is a link."""
        return stat.S_ISLNK(self.mode)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Return a status that tells the type alone."""
        return os.stat_result((self.mode, *(0,) * 9))

    @property
    def is_submodule(self) -> bool:
        """Whether another repository is mounted here."""
        return stat.S_IFMT(self.mode) == _SUBMODULE

    @property
    def escapes(self) -> bool:
        r"""Whether the name is none: it has a separator, is `..`, or is absolute on Windows."""
        parts = self.name.split("\\")
        return (
            self.name in ("", ".")
            or "/" in self.name
            or ".." in parts
            or _WINDOWS_ABSOLUTE.match(self.name) is not None
        )


def parse_entries(data: bytes, oid_length: int) -> dict[str, TreeEntry]:
    """Return the entries of a tree object, by name.

    Raises:
        DocumentRefusedError: `broken`; it is malformed or lists a name twice.
    """
    try:
        parsed = list(parse_tree(data, sha_len=oid_length))
    except Exception:  # noqa: BLE001  hostile bytes
        raise DocumentRefusedError("broken", "a folder of the tree is malformed") from None
    entries = {}
    for raw, mode, oid in parsed:
        name = raw.decode("utf-8", "surrogateescape")
        entries[name] = TreeEntry(name, mode, oid.decode("ascii"))
    if len(entries) != len(parsed):
        raise DocumentRefusedError("broken", "a folder of the tree lists a name twice")
    return entries


def signature_of_blob(oid: str, size: int) -> FileSignature:
    """Return a signature that is equal for the same content and for no other.

    The first twenty bytes of the id are its times (seven bytes each, so that they lie in the
    past and never look racy) and its inode (six bytes).

    Args:
        oid: the id of the blob, in hex.
        size: bytes.
    """
    return FileSignature(size, int(oid[:14], 16), int(oid[14:28], 16), int(oid[28:40], 16))
