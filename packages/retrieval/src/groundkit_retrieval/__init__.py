"""Grounded retrieval: search with checked citations, as a library and a command."""

from typing import TYPE_CHECKING, Any

from groundkit_index import IngestOptions, list_collections
from groundkit_retrieval.collection import Collection

if TYPE_CHECKING:
    from groundkit_index import ingest

__version__ = "0.1.0"

__all__ = ["Collection", "IngestOptions", "ingest", "list_collections"]


def __getattr__(name: str) -> Any:
    if name == "ingest":
        from groundkit_index import ingest

        return ingest
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
