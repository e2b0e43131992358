"""Members of `.zip` and `.tar.*` files, read in place."""

from groundkit_index.sources.archive.archive import Archive, open_archive
from groundkit_index.sources.archive.formats import is_archive
from groundkit_index.sources.archive.member import Member

__all__ = ["Archive", "Member", "is_archive", "open_archive"]
