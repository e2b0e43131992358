"""Catalog, lexical index, sources and the incremental writer of groundkit."""

from typing import TYPE_CHECKING, Any

from groundkit_index.collection_list import list_collections
from groundkit_index.layout import CollectionPaths
from groundkit_index.options import IngestOptions
from groundkit_index.reader import IndexReader

if TYPE_CHECKING:
    from groundkit_index.sync import ingest

__version__ = "0.1.0"

__all__ = ["CollectionPaths", "IndexReader", "IngestOptions", "ingest", "list_collections"]


def __getattr__(name: str) -> Any:
    # Writing needs sqlite-utils, which takes 0.4 s to import; reading does not pay for it.
    if name == "ingest":
        from groundkit_index.sync import ingest

        return ingest
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
