"""What each operation does: plain functions from a call and a valid input."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from groundkit_core.contracts import (
    Coverage,
    Passage,
    SearchMetadata,
    SearchResponse,
    SourceList,
)
from groundkit_core.errors import CollectionBusyError, CollectionNotFoundError
from groundkit_mcp.calls import Call
from groundkit_mcp.cursors import Position
from groundkit_mcp.operations.inputs import (
    CollectionsInput,
    FetchInput,
    SearchInput,
    SourcesInput,
    StatusInput,
)
from groundkit_mcp.operations.outputs import CollectionPage, IndexStatus, SearchPage, SyncReport

if TYPE_CHECKING:
    from groundkit_mcp.context import ServiceContext
    from groundkit_mcp.sync import FolderSync

_POLL_SECONDS = 0.1


_CHANGED = "the collection has changed since the first part: a passage may be missing or come twice"


def search(call: Call, given: SearchInput) -> SearchPage:
    """Search one collection; while its first sync runs, wait a little for something to search."""
    cursors, bound = call.service.cursors, _bound(call, given)
    start = cursors.read(given.cursor, bound) if given.cursor else None
    offset = start.offset if start else 0
    found = _searched(call, given, offset)
    call.record.note_search(found)
    generation = found.metadata.generation
    if start and start.generation != generation:
        found = _with_note(found, _CHANGED)

    def cursor_after(results: int) -> str:
        return cursors.sign(Position(offset + results, generation), bound)

    return SearchPage.of(found, cursor_after)


def _bound(call: Call, given: SearchInput) -> bytes:
    """Return what a cursor is bound to: who asks, and what."""
    asked = given.model_copy(
        update={"cursor": None, "collection": call.service.named(given.collection)}
    )
    return f"{call.caller.share!r} {asked.model_dump_json()}".encode()


def _searched(call: Call, given: SearchInput, offset: int) -> SearchResponse:
    context = call.service
    name = context.named(given.collection)
    sync = context.sync_of(name, call.caller)
    started = time.monotonic()
    while True:
        waiting = sync is not None and sync.running
        response = _attempt(call, given, offset, sync)
        if response is not None and (response.results or not waiting or _is_filled(context, name)):
            note = _note(sync)
            return response if note is None else _with_note(response, note)
        elapsed = time.monotonic() - started
        call.deadline.check()
        if sync is None or not waiting or elapsed >= context.patience:
            return _not_ready(given, name, _note(sync), elapsed)
        sync.wait(_POLL_SECONDS)


def fetch_chunk(call: Call, given: FetchInput) -> Passage:
    """Fetch one passage by its id."""
    collection = call.service.seen(given.collection, call.caller)
    return collection.fetch(given.chunk_id, context=given.context)


def list_collections(call: Call, given: CollectionsInput) -> CollectionPage:
    """List a page of the collections."""
    found = call.service.inventory(call.caller).collections
    end = given.offset + given.limit
    return CollectionPage(
        collections=found[given.offset : end],
        default=call.service.default_for(call.caller),
        total=len(found),
        next_offset=end if end < len(found) else None,
    )


def list_sources(call: Call, given: SourcesInput) -> SourceList:
    """List a page of the documents of a collection."""
    return call.service.seen(given.collection, call.caller).sources(
        source_class=given.source_class,
        project=given.project,
        limit=given.limit,
        offset=given.offset,
    )


def index_status(call: Call, given: StatusInput) -> IndexStatus:
    """Return the state of a collection and of the sync that feeds it."""
    context = call.service
    name = context.named(given.collection)
    sync = context.sync_of(name, call.caller)
    try:
        status = context.seen(given.collection, call.caller).status()
    except (CollectionNotFoundError, CollectionBusyError):
        if sync is None or sync.report().state == "done":
            raise
        status = None
    return IndexStatus(
        collection=name,
        status=status,
        sync=_sync_report(sync),
        service=call.counters.totals(),
    )


def _sync_report(sync: FolderSync | None) -> SyncReport | None:
    """Return the state of a sync; what it did is counted over documents that may be hidden."""
    return sync.report().model_copy(update={"documents": None}) if sync else None


def _attempt(
    call: Call, given: SearchInput, offset: int, sync: FolderSync | None
) -> SearchResponse | None:
    try:
        return call.service.seen(given.collection, call.caller).search(
            given.request(), offset=offset, check=call.deadline.check
        )
    except CollectionNotFoundError:
        if _note(sync) is None:
            raise
    except CollectionBusyError:
        pass
    return None


def _note(sync: FolderSync | None) -> str | None:
    """Return what whoever asks a collection should know of its sync."""
    return sync.report().note if sync else None


def _is_filled(context: ServiceContext, name: str) -> bool:
    """Return whether the collection holds documents that can be found."""
    status = context.collection(name).status()
    return status.documents > 0 and status.pending == 0


def _with_note(response: SearchResponse, note: str) -> SearchResponse:
    coverage = response.coverage
    noted = coverage.model_copy(update={"notes": (*coverage.notes, note)})
    return response.model_copy(update={"coverage": noted})


def _not_ready(given: SearchInput, name: str, note: str | None, seconds: float) -> SearchResponse:
    """Nothing could be searched, which is not the same as nothing being there."""
    mode = given.mode or "lexical"
    coverage = Coverage(
        searched=(),
        failed={mode: "there is no index to search yet"},
        degraded=True,
        notes=(note or "the index could not be searched; try again",),
    )
    return SearchResponse(
        status="NO_RELEVANT_CONTEXT",
        reason="plane_failed",
        query=given.query,
        mode=mode,
        coverage=coverage,
        metadata=SearchMetadata(collection=name, generation=0, took_ms=round(seconds * 1000, 3)),
    )
