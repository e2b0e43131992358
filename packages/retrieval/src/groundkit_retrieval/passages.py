"""Shows one passage with the lines around it."""

from __future__ import annotations

from groundkit_core.contracts import Passage
from groundkit_core.errors import DocumentRefusedError, RequestError
from groundkit_core.text import LineIndex
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.origins import origin_of
from groundkit_retrieval.access import View
from groundkit_retrieval.checking import chunk_or_raise
from groundkit_retrieval.citing import cite
from groundkit_retrieval.verification import Checked, current_text

MAX_CONTEXT = 200
_MAX_BYTES = 2**31
_MAX_AROUND = 20_000


def fetch_passage(view: View, chunk_id: str, context: int) -> Passage:
    """Return a chunk, and `context` lines on both sides when its source still holds it.

    Raises:
        ChunkNotFoundError: the collection has no such chunk.
        RequestError: `context` is out of bounds.
    """
    if not 0 <= context <= MAX_CONTEXT:
        raise RequestError(f"context is 0 to {MAX_CONTEXT} lines")
    record = chunk_or_raise(view, chunk_id)
    checked = view.verifier().check(record)
    before = after = ""
    if context and checked.verdict in ("verified", "relocated"):
        before, after = _around(_text(view, record), record, checked, context)
    return Passage(
        chunk_id=record.chunk_id,
        content=record.content,
        before=before,
        after=after,
        citation=cite(record, checked),
    )


def _text(view: View, record: ChunkRecord) -> str:
    """Return the text of a document as it is now; an extracted one as it was at ingest."""
    if record.extractor is not None:
        return view.snapshot.text(record.doc_key) or ""
    root = next(root for root in view.roots() if root.root_key == record.root_key)
    try:
        origin = origin_of(root.path, view.snapshot.snapshots)
        data, _ = origin.read(record.source, max_bytes=_MAX_BYTES)
        return current_text(data, record.encoding)
    except DocumentRefusedError:
        return ""


def _around(text: str, record: ChunkRecord, checked: Checked, context: int) -> tuple[str, str]:
    if text[checked.start : checked.end] != record.content:
        return "", ""
    lines = LineIndex(text)
    first = lines.start_of(max(1, checked.start_line - context))
    last_line = checked.end_line + context + 1
    last = lines.start_of(last_line) if last_line <= lines.count else len(text)
    before = text[first : checked.start][-_MAX_AROUND:]
    return before, text[checked.end : last][:_MAX_AROUND]
