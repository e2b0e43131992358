"""Turns the bytes of a file into a document that is ready for the catalog."""

from __future__ import annotations

import hashlib

from groundkit_core.access.declarations import declared
from groundkit_core.analysis import Analyzer
from groundkit_core.anchors import quote_at
from groundkit_core.chunking import chunk
from groundkit_core.contracts import SourceClass
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings, FileSignature
from groundkit_core.text import LineIndex, decode
from groundkit_index.guard import scan
from groundkit_index.prepared import PreparedChunk, PreparedDocument


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
) -> PreparedDocument:
    """Decode, chunk and analyse a file.

    Raises:
        DocumentRefusedError: the bytes are not text that can be cited, or hold a secret by a
            rule that is not in `allowed`.
    """
    decoded = decode(data, detect=detect)
    text = decoded.text
    _check_secrets(text, allowed)
    chunked = chunk(text, kind, chunking)
    lines = LineIndex(text)
    chunks = []
    for span in chunked.spans:
        first, last = lines.lines_of(span.start, span.end)
        quote = quote_at(text, span.start, span.end)
        chunks.append(
            PreparedChunk(
                start=span.start,
                end=span.end,
                start_line=first,
                end_line=last,
                heading_path=span.heading_path,
                page=span.page,
                content=quote.exact,
                prefix=quote.prefix,
                suffix=quote.suffix,
                tokens=analyzer.joined(quote.exact),
            )
        )
    return PreparedDocument(
        source=source,
        kind=kind.name,
        source_class=source_class,
        project=project,
        title=chunked.title,
        encoding=decoded.encoding,
        sha256=digest(data),
        signature=signature,
        chunks=tuple(chunks),
        declared=declared(text),
    )
