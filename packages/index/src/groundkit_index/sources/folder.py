"""The documents of a folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError, RootMissingError, SourceError
from groundkit_core.model import FileSignature
from groundkit_core.paths import read_beneath, refusal_reason, split_source
from groundkit_index.sources.scan import Scan
from groundkit_index.sources.walk import Walk

MAX_ENTRIES = 1_000_000


class FolderSource:
    """The documents of a folder, or of a part of it.

    Args:
        root: the folder, absolute and resolved.
        scope: a folder or file below it that the scan is limited to, in POSIX form. What is
            named here is taken even when it is hidden, vendored or ignored itself; what lies
            below it is still held to the ignore files of all folders above.
        max_bytes: larger files are refused.
        follow_hidden: take hidden files and folders; repositories and caches stay out.
        max_entries: how many files and folders are looked at.
    """

    def __init__(
        self,
        root: Path,
        *,
        scope: str = "",
        max_bytes: int,
        follow_hidden: bool = False,
        max_entries: int = MAX_ENTRIES,
    ) -> None:
        self.root = root
        self.scope = "" if scope == "." else scope.removesuffix("/")
        self._max_bytes = max_bytes
        self._follow_hidden = follow_hidden
        self._max_entries = max_entries

    def scan(self) -> Scan:
        """List the documents; nothing is opened but ignore files, and no link is followed.

        Raises:
            RootMissingError: the root or the scope does not exist or cannot be listed.
            SourceError: the scope lies outside the root or behind a link, or there are more
                than `max_entries` files and folders.
        """
        walk = Walk(
            self.root,
            max_bytes=self._max_bytes,
            follow_hidden=self._follow_hidden,
            max_entries=self._max_entries,
        )
        try:
            status = self._status()
            if self.scope and not stat.S_ISDIR(status.st_mode):
                walk.take_named(self.scope, status)
            else:
                walk.run(self.scope)
        except DocumentRefusedError:
            raise SourceError(f"{self.scope!r} is not a path below the root") from None
        except OSError as error:
            raise self._missing(error) from None
        return walk.result()

    def read(self, source: str) -> tuple[bytes, FileSignature]:
        """Return the bytes and the signature of a file; see `read_beneath`."""
        return read_beneath(self.root, source, max_bytes=self._max_bytes)

    def _status(self) -> os.stat_result:
        place = self.root
        for part in split_source(self.scope)[:-1] if self.scope else ():
            place /= part
            if place.is_symlink():
                raise SourceError(f"{self.scope!r} lies behind a link; name where it leads to")
        return (self.root / self.scope).lstat()

    def _missing(self, error: OSError) -> RootMissingError:
        shown = repr(self.scope) if self.scope else f"root {self.root.name!r}"
        reason = refusal_reason(error).replace("_", " ")
        return RootMissingError(
            f"{shown} cannot be listed ({reason}); check the path and its permissions"
        )
