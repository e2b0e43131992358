"""Checks stored citations of a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from groundkit_core.contracts import Citation, Verdict, VerifyReport
from groundkit_core.errors import ChunkNotFoundError
from groundkit_core.protocols import Check
from groundkit_index.catalog.records import ChunkRecord
from groundkit_retrieval.access import View
from groundkit_retrieval.citing import cite


def chunk_or_raise(view: View, chunk_id: str) -> ChunkRecord:
    """Return a chunk by id, or raise ChunkNotFoundError."""
    record = view.chunk(chunk_id)
    if record is None:
        raise ChunkNotFoundError("no such chunk in this collection; search again for its new id")
    return record


def verify_chunks(
    view: View, collection: str, chunk_ids: Sequence[str] | None, check: Check
) -> VerifyReport:
    """Check the named chunks, or every chunk of the collection when `chunk_ids` is None.

    `check` is called before each; what it raises ends the work.
    """
    records: Iterable[ChunkRecord]
    if chunk_ids is None:
        records = view.all_chunks()
    else:
        records = [chunk_or_raise(view, chunk_id) for chunk_id in chunk_ids]
    verifier = view.verifier()
    verdicts: Counter[Verdict] = Counter()
    shown: list[Citation] = []
    for record in records:
        check()
        checked = verifier.check(record)
        verdicts[checked.verdict] += 1
        if chunk_ids is not None or checked.verdict != "verified":
            shown.append(cite(record, checked))
    return VerifyReport(
        collection=collection,
        generation=view.snapshot.generation,
        checked=verdicts.total(),
        verdicts=dict(verdicts),
        citations=tuple(shown),
    )
