"""Turns the bytes of a file into a document that is ready for the catalog."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from groundkit_core.access.declarations import declared
from groundkit_core.analysis import Analyzer
from groundkit_core.anchors import quote_at
from groundkit_core.chunking import chunk
from groundkit_core.chunking.code.chunker import Outliner
from groundkit_core.contracts import SourceClass
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkedText, ChunkSettings, ChunkSpan, FileSignature
from groundkit_core.structure import Extraction, Where, chunk_structured
from groundkit_core.text import LineIndex, decode
from groundkit_index.catalog.places import place_text
from groundkit_index.guard import scan
from groundkit_index.loaders import Limits, load
from groundkit_index.prepared import NOTHING_DECLARED, PreparedChunk, PreparedDocument
from groundkit_index.sources.detect import detect as sniff

_NOWHERE = Where()


def digest(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _check_secrets(text: str, allowed: frozenset[str]) -> None:
    findings = scan(text, allowed)
    if findings:
        first = findings[0]
        more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
        raise DocumentRefusedError(
            "secret",
            f"{first.rule_id} at line {first.line}{more}; --allow-secrets {first.rule_id}",
        )


def prepare(
    source: str,
    data: bytes,
    signature: FileSignature,
    *,
    kind: Kind,
    source_class: SourceClass,
    project: str,
    chunking: ChunkSettings,
    analyzer: Analyzer,
    detect: bool = True,
    allowed: frozenset[str] = frozenset(),
    outliner: Outliner | None = None,
) -> PreparedDocument:
    """Decode or extract, chunk and analyse a document.

    Raises:
        DocumentRefusedError: the bytes hold no text that can be cited, or a secret by a rule
            that is not in `allowed`.
    """
    found = detected(data, kind)
    if found.extracted:
        body = _extracted(found, data, chunking)
    else:
        body = _decoded(found, data, chunking, outliner, detect=detect)
    _check_secrets(body.text, allowed)
    lines = LineIndex(body.text)
    return PreparedDocument(
        source=source,
        kind=found.name,
        source_class=source_class,
        project=project,
        title=body.chunked.title,
        encoding=body.encoding,
        sha256=digest(data),
        signature=signature,
        chunks=tuple(_chunk(body, span, lines, analyzer) for span in body.chunked.spans),
        declared=NOTHING_DECLARED if body.extraction else declared(body.text),
        extractor=body.extractor,
        text=body.text if body.extraction else None,
        notes=body.extraction.notes if body.extraction else (),
        hidden=body.extraction.hidden if body.extraction else 0,
    )


def detected(data: bytes, named: Kind) -> Kind:
    """Return the kind of a document by its bytes, else by its name."""
    return sniff(data, named) or named


@dataclass(frozen=True, slots=True)
class _Body:
    """A document's text, cut into spans; `extraction` where the source is not the text."""

    text: str
    chunked: ChunkedText
    encoding: str
    extraction: Extraction | None = None
    extractor: str | None = None


def _decoded(
    kind: Kind, data: bytes, chunking: ChunkSettings, outliner: Outliner | None, *, detect: bool
) -> _Body:
    decoded = decode(data, detect=detect)
    chunked = chunk(decoded.text, kind, chunking, outliner=outliner)
    return _Body(decoded.text, chunked, decoded.encoding)


def _extracted(kind: Kind, data: bytes, chunking: ChunkSettings) -> _Body:
    extraction, extractor = load(kind.name, data, Limits())
    chunked = chunk_structured(extraction, chunking)
    return _Body(extraction.text, chunked, "utf-8", extraction, extractor)


def _chunk(body: _Body, span: ChunkSpan, lines: LineIndex, analyzer: Analyzer) -> PreparedChunk:
    first, last = lines.lines_of(span.start, span.end)
    quote = quote_at(body.text, span.start, span.end)
    where = body.extraction.place_of(span.start, span.end) if body.extraction else _NOWHERE
    return PreparedChunk(
        start=span.start,
        end=span.end,
        start_line=first,
        end_line=last,
        heading_path=span.heading_path,
        page=where.page,
        content=quote.exact,
        prefix=quote.prefix,
        suffix=quote.suffix,
        tokens=analyzer.joined(quote.exact),
        place=place_text(where),
    )
