"""What the operations return beyond the contracts of core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Self

from pydantic import PrivateAttr

from groundkit_core.contracts import (
    CollectionList,
    CollectionStatus,
    Contract,
    Coverage,
    DocumentCounts,
    SearchHit,
    SearchResponse,
)


class SearchPage(SearchResponse):
    """The passages that bear on a query, or an honest nothing with its reason.

    Attributes:
        next_cursor: asks for the passages that did not fit; None when nothing was left out.
    """

    next_cursor: str | None = None

    _cursor_after: Callable[[int], str] | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, found: SearchResponse, cursor_after: Callable[[int], str] | None = None) -> Self:
        """Return a response as a page; boxes are left to `fetch_chunk`, for they fill a page.

        Args:
            found: what was found, from the start of the page on.
            cursor_after: the cursor that passes over so many of its results.
        """
        page = cls.model_construct(
            **{name: getattr(found, name) for name in type(found).model_fields}
        )
        page._cursor_after = cursor_after
        return page.with_only(tuple(map(_without_boxes, page.results)), page.coverage)

    def with_only(self, results: tuple[SearchHit, ...], coverage: Coverage) -> Self:
        """Return the page with these of its first results, and the cursor to those after them.

        One that does not fit even alone is passed over.
        """
        given = len(results) or 1
        left = coverage.withheld.over_budget + len(results) - given
        cursor = self._cursor_after(given) if self._cursor_after and left > 0 else None
        return self.model_copy(
            update={"results": results, "coverage": coverage, "next_cursor": cursor}
        )


def _without_boxes(hit: SearchHit) -> SearchHit:
    if not any(citation.boxes for citation in (hit.citation, *hit.duplicates)):
        return hit
    twins = tuple(twin.model_copy(update={"boxes": ()}) for twin in hit.duplicates)
    own = hit.citation.model_copy(update={"boxes": ()})
    return hit.model_copy(update={"citation": own, "duplicates": twins})


class CollectionPage(CollectionList):
    """A page of the collections, by name.

    Attributes:
        default: the collection that is asked when none is named; None when the caller's policy
            withholds it.
        total: collections on all pages.
        next_offset: where the next page starts; None on the last.
    """

    default: str | None
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
