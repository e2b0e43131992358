"""What a scan of a folder found."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from groundkit_core.model import SourceFile


@dataclass(frozen=True, slots=True)
class Scan:
    """What is in a folder.

    Attributes:
        files: the files to ingest, by source in code-point order.
        refused: wanted files, folders and ignore files that cannot be had, by source, each
            with a reason. A name that is not valid Unicode is shown with escapes.
        skipped: how many files and folders were passed over, by reason; a folder counts once,
            whatever it holds. Reasons are `hidden`, `ignored` (by git), `vendored`,
            `environment` (virtual environments and caches), `index`, `symlink`, `submodule`,
            `nested_archive` and `unsupported_type`.
        unsupported: how many files of `unsupported_type` have which suffix, such as `.pdf`; `other`
            stands for names without one, or with an odd one.
        unlisted: folders and files that could not be looked at, in code-point order; what was
            known of them still stands.
    """

    files: tuple[SourceFile, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)
    unsupported: dict[str, int] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()

    def is_unlisted(self, source: str) -> bool:
        """Return whether a source, or a folder above it, could not be looked at."""
        end = len(source)
        while end > 0:
            place = source[:end]
            found = bisect_left(self.unlisted, place)
            if self.unlisted[found : found + 1] == (place,):
                return True
            end = source.rfind("/", 0, end)
        return False
