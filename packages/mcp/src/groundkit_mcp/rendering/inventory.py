"""Collections, documents and status."""

from __future__ import annotations

from groundkit_core.contracts import CollectionStatus, EmbeddingStatus, SourceEntry, SourceList
from groundkit_mcp.inline import one_line, place, quoted
from groundkit_mcp.operations.outputs import (
    CollectionPage,
    IndexStatus,
    ServiceCounters,
    SyncReport,
)
from groundkit_mcp.rendering.view import View, plural, shortened


def collections_text(page: CollectionPage, _mark: str) -> str:
    """Return the collections, one a line."""
    lines = [f"{plural(page.total, 'collection')}; {_default(page)}."]
    for entry in page.collections:
        size = f"{plural(entry.documents, 'document')}, {plural(entry.chunks, 'passage')}"
        lines.append(f"- {place(entry.name)}: {size}, generation {entry.generation}")
    return "\n".join(lines + _more(page.next_offset))


def smaller_collections(page: CollectionPage) -> CollectionPage | None:
    """Return the page with fewer entries, so that the next page starts earlier."""
    entries = page.collections
    if len(entries) < 2:
        return None
    kept = shortened(len(entries))
    start = (page.next_offset or page.total) - len(entries)
    return page.model_copy(update={"collections": entries[:kept], "next_offset": start + kept})


def sources_text(page: SourceList, _mark: str) -> str:
    """Return the documents, one a line."""
    name = place(page.collection)
    lines = [f"{plural(page.total, 'document')} in collection {name}, {len(page.sources)} listed."]
    lines += map(_source, page.sources)
    return "\n".join(lines + _more(page.next_offset))


def smaller_sources(page: SourceList) -> SourceList | None:
    """Return the page with fewer entries, so that the next page starts earlier."""
    entries = page.sources
    if len(entries) < 2:
        return None
    kept = shortened(len(entries))
    end = page.total if page.next_offset is None else page.next_offset
    return page.model_copy(
        update={"sources": entries[:kept], "next_offset": end - len(entries) + kept}
    )


def status_text(answer: IndexStatus, _mark: str) -> str:
    """Return the state of a collection and its sync."""
    name = place(answer.collection)
    lines = _status(answer.status) if answer.status else ["The collection does not exist yet."]
    sync = _sync(answer.sync) if answer.sync else []
    return "\n".join([f"Collection {name}", *lines, *sync, _service(answer.service)])


def no_smaller(_result: object) -> None:
    """Nothing can be left out."""


COLLECTIONS = View(collections_text, smaller_collections)
SOURCES = View(sources_text, smaller_sources)
STATUS = View(status_text, no_smaller)


def _default(page: CollectionPage) -> str:
    name = page.default
    return "name the one to ask" if name is None else f"the default is {place(name)}"


def _more(next_offset: int | None) -> list[str]:
    return [] if next_offset is None else [f"More from offset {next_offset}."]


def _source(entry: SourceEntry) -> str:
    kind = (
        f"{entry.source_class}, project {place(entry.project)}"
        if entry.project
        else (entry.source_class)
    )
    title = f", {quoted(entry.title)}" if entry.title else ""
    return f"- {place(entry.source)} ({kind}, {plural(entry.chunks, 'passage')}){title}"


def _status(status: CollectionStatus) -> list[str]:
    classes = ", ".join(f"{name} {count}" for name, count in status.documents_by_class.items())
    roots = [
        f"folder {quoted(root.name)}: {plural(root.documents, 'document')}"
        f"{'' if root.reachable else ', not reachable now'}"
        for root in status.roots
    ]
    settings = ", ".join(f"{key} {value}" for key, value in status.settings.items())
    return [
        f"{plural(status.documents, 'document')} ({classes or 'none'}), "
        f"{plural(status.chunks, 'passage')}",
        f"generation {status.generation}, {status.version}, changed {one_line(status.updated_at)}, "
        f"{status.size_bytes or 0} bytes, {plural(status.pending, 'pending change')}",
        f"search: {_search(status.embedding)}",
        *roots,
        f"settings: {one_line(settings)}",
    ]


def _search(embedding: EmbeddingStatus | None) -> str:
    if embedding is None:
        return "lexical only"
    vectors = "no readable" if embedding.vectors is None else str(embedding.vectors)
    return (
        f"lexical and dense ({one_line(embedding.provider)} {one_line(embedding.model)}, "
        f"{vectors} vectors, {plural(embedding.pending, 'pending change')})"
    )


def _service(counters: ServiceCounters) -> str:
    counts = counters.model_dump()
    searches = counts.pop("searches")
    told = ", ".join(f"{count} {what}" for what, count in counts.items())
    return f"since the start: {searches} searched, {told}"


def _sync(sync: SyncReport) -> list[str]:
    if sync.note is not None:
        return [f"sync {sync.state}: {one_line(sync.note)}"]
    counts = sync.documents.model_dump() if sync.documents else {}
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return [f"sync {sync.state} in {sync.seconds:.1f} s: {said or 'no documents'}"]
