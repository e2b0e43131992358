"""Taking text out of documents that are not text themselves."""

from groundkit_index.loaders.protocol import Limits, Loader
from groundkit_index.loaders.registry import FORMATS, load

__all__ = ["FORMATS", "Limits", "Loader", "load"]
