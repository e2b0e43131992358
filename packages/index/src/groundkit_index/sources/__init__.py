"""Where documents come from: folders, what is wanted in them, and what is passed over."""

from groundkit_index.sources.classify import classify
from groundkit_index.sources.folder import FolderSource
from groundkit_index.sources.scan import Scan
from groundkit_index.sources.target import parse_target

__all__ = ["FolderSource", "Scan", "classify", "parse_target"]
