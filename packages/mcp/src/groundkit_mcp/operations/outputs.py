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


class ServiceCounters(Contract):
    """What all callers together were told since the start of the server.

    Attributes:
        searches: searches that were carried out.
        answered: those that returned passages.
        abstained: those that returned none, for whatever reason.
        degraded: those in which a branch failed.
        refused: requests turned away: no valid token, no scope, a foreign host or origin, a body
            too large or too slow, too many calls waiting.
    """

    searches: int = 0
    answered: int = 0
    abstained: int = 0
    degraded: int = 0
    refused: int = 0


class IndexStatus(Contract):
    """The state of a collection, of the sync that feeds it, and of the service.

    Attributes:
        collection: the collection that was asked about.
        status: None while the first sync has not made the collection yet.
        sync: None when the server indexes no folder into this collection.
        service: counts of this server process over all its collections and callers.
    """

    collection: str
    status: CollectionStatus | None
    sync: SyncReport | None
    service: ServiceCounters
