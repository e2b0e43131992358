"""Draws the page that a passage stands on."""

from __future__ import annotations

from groundkit_core.errors import RequestError
from groundkit_index.catalog.places import parse_place
from groundkit_index.isolation.messages import Draw
from groundkit_retrieval.access import View
from groundkit_retrieval.checking import chunk_or_raise

_MAX_BYTES = 2**31


def draw_passage(view: View, chunk_id: str, scale: float) -> bytes:
    """Return the page of a passage as a PNG image, with its lines highlighted.

    Raises:
        ChunkNotFoundError: the collection has no such chunk.
        RequestError: its document has no pages to draw, or has changed.
        DocumentRefusedError: the page cannot be drawn.
    """
    record = chunk_or_raise(view, chunk_id)
    if record.kind != "pdf":
        raise RequestError("only pages of PDF documents can be drawn; leave --image out")
    checked = view.verifier().check(record)
    if checked.verdict not in ("verified", "relocated"):
        raise RequestError(
            f"the document no longer holds the passage ({checked.verdict}); ingest it again"
        )
    where = checked.where if checked.where.boxes else parse_place(record.place, record.page)
    page = where.page or 1
    root = next(root for root in view.roots() if root.root_key == record.root_key)
    boxes = tuple(box for box in where.boxes if box.page == page)
    snapshots = str(view.snapshot.snapshots)
    asked = Draw(root.path, snapshots, record.source, _MAX_BYTES, page, boxes, scale)
    return view.relocator.draw(asked)
