"""Where the bytes of documents come from."""

from groundkit_index.origins.folder import FolderOrigin
from groundkit_index.origins.protocol import Origin
from groundkit_index.origins.roots import is_folder, is_reachable, origin_of

__all__ = ["FolderOrigin", "Origin", "is_folder", "is_reachable", "origin_of"]
