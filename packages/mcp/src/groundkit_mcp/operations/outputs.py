"""What the operations return beyond the contracts of core."""

from __future__ import annotations

from typing import Literal

from groundkit_core.contracts import CollectionList, CollectionStatus, Contract, DocumentCounts


class CollectionPage(CollectionList):
    """A page of the collections, by name.

    Attributes:
        default: the collection that is asked when none is named.
        total: collections on all pages.
        next_offset: where the next page starts; None on the last.
    """

    default: str
    total: int
    next_offset: int | None = None


class SyncReport(Contract):
    """What became of the folder that the server indexes at its start.

    Attributes:
        collection: the collection it goes to.
        state: `running`, `done` or `failed`.
        seconds: how long it has run, or ran.
        documents: what it did to how many documents; None before it is done.
        kind: the kind of the error when it failed.
        note: one line for whoever asks meanwhile; None when all is well.
    """

    collection: str
    state: Literal["running", "done", "failed"]
    seconds: float
    documents: DocumentCounts | None = None
    kind: str | None = None
    note: str | None = None


class IndexStatus(Contract):
    """The state of a collection and of the sync that feeds it.

    Attributes:
        collection: the collection that was asked about.
        status: None while the first sync has not made the collection yet.
        sync: None when the server indexes no folder into this collection.
    """

    collection: str
    status: CollectionStatus | None
    sync: SyncReport | None
