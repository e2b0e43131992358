"""Every error that groundkit raises.

    GroundkitError                     kind
    ├── RequestError                   invalid_request
    │   └── ModeUnavailableError       mode_unavailable
    ├── SettingsError                  invalid_settings
    │   └── PolicyError                invalid_policy
    ├── NotFoundError                  not_found
    │   ├── CollectionNotFoundError    collection_not_found
    │   └── ChunkNotFoundError         chunk_not_found
    ├── SourceError                    source_error
    │   ├── RootMissingError           root_missing
    │   ├── RootEmptyError             root_empty
    │   └── DocumentRefusedError       document_refused
    ├── EmbeddingError                 embedding_failed
    │   └── EmbeddingMismatchError     embedding_mismatch
    └── StorageError                   storage_error
        ├── CollectionBusyError        collection_busy
        ├── IncompatibleIndexError     index_incompatible
        └── CorruptIndexError          index_corrupt

A message is one line that says what is wrong and what to do next. It holds no
absolute path below a root and no document text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class GroundkitError(Exception):
    """The base of all groundkit errors; `kind` is stable and safe to branch on."""

    kind: ClassVar[str] = "internal"


class RequestError(GroundkitError):
    """The caller asked for something that cannot be asked."""

    kind = "invalid_request"


class ModeUnavailableError(RequestError):
    """The collection cannot answer in the requested search mode."""

    kind = "mode_unavailable"


class SettingsError(GroundkitError):
    """A configuration file, environment variable or flag has a wrong value."""

    kind = "invalid_settings"


class PolicyError(SettingsError):
    """A policy cannot be used.

    Args:
        problems: one line each, with the path of the key and without its value.
        name: what the policy is called in the message, such as its file name.
    """

    kind = "invalid_policy"

    def __init__(self, problems: Sequence[str], name: str = "policy") -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(
            f"{name}: {problems[0]}{more}; `groundkit policy check` shows every problem"
        )
        self.problems = tuple(problems)
        self.name = name


class NotFoundError(GroundkitError):
    """Something that was named does not exist, or may not be known."""

    kind = "not_found"


class CollectionNotFoundError(NotFoundError):
    """No such collection.

    Args:
        name: the name that was asked for.
        existing: the names the caller may know.
    """

    kind = "collection_not_found"

    def __init__(self, name: str, existing: Sequence[str] = ()) -> None:
        known = ", ".join(existing)
        hint = f"existing collections: {known}" if known else "run `groundkit ingest PATH` first"
        super().__init__(f"no collection {name!r}; {hint}")
        self.name = name
        self.existing = tuple(existing)


class ChunkNotFoundError(NotFoundError):
    """No such chunk in the collection."""

    kind = "chunk_not_found"


class SourceError(GroundkitError):
    """A folder or file cannot be ingested."""

    kind = "source_error"


class RootMissingError(SourceError):
    """A root to ingest does not exist or cannot be listed."""

    kind = "root_missing"


class RootEmptyError(SourceError):
    """A root that held documents is now empty; nothing was deleted."""

    kind = "root_empty"


class DocumentRefusedError(SourceError):
    """One document cannot be indexed or read.

    Args:
        reason: a stable reason code such as `too_large` or `nul_byte`.
        detail: what was found, without document text.
    """

    kind = "document_refused"

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class EmbeddingError(GroundkitError):
    """An embedder could not be made, reached, or trusted."""

    kind = "embedding_failed"


class EmbeddingMismatchError(EmbeddingError):
    """The collection's vectors were made under another identity."""

    kind = "embedding_mismatch"


class StorageError(GroundkitError):
    """The index on disk cannot be read or written."""

    kind = "storage_error"


class CollectionBusyError(StorageError):
    """Another process is writing to the collection."""

    kind = "collection_busy"


class IncompatibleIndexError(StorageError):
    """The index was made with other settings or by another version."""

    kind = "index_incompatible"


class CorruptIndexError(StorageError):
    """The index is damaged."""

    kind = "index_corrupt"
