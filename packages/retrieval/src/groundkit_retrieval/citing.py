"""Makes citations of chunks."""

from __future__ import annotations

from groundkit_core.anchors import digest
from groundkit_core.contracts import Citation, PageBox
from groundkit_index.catalog.records import ChunkRecord
from groundkit_retrieval.links import link_of
from groundkit_retrieval.verification import Checked


def cite(record: ChunkRecord, checked: Checked) -> Citation:
    """Return the citation of a chunk, at the place where the check found it."""
    where = checked.where
    return Citation(
        document_id=record.document_id,
        chunk_id=record.chunk_id,
        root=record.root,
        source=record.source,
        source_class=record.source_class,
        project=record.project,
        start_offset=checked.start,
        end_offset=checked.end,
        start_line=checked.start_line,
        end_line=checked.end_line,
        heading_path=record.heading_path,
        page=where.page,
        quote_sha256=digest(record.content),
        prefix=record.prefix,
        suffix=record.suffix,
        verification=checked.verdict,
        link=link_of(record, checked.start_line, where, checked.commit),
        extractor=record.extractor,
        source_sha256=record.sha256 if record.extractor else None,
        commit=checked.commit,
        place=where.label or None,
        boxes=tuple(PageBox(**box._asdict()) for box in where.boxes),
    )
