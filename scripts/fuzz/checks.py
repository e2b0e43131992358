"""What must hold for a document that was read, whatever it was read from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundkit_core.anchors import Quote, locate
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.model import ChunkSettings
from groundkit_core.text import decode
from groundkit_index.prepared import PreparedChunk, PreparedDocument
from groundkit_index.reading import Outcome

KNOWN = frozenset(
    {
        "binary",
        "broken",
        "encrypted",
        "lone_surrogate",
        "no_text",
        "nul_byte",
        "outside_root",
        "over_limit",
        "secret",
        "too_large",
        "undecodable",
        "unsupported_compression",
    }
)
"""Reasons that may be given for a damaged document."""

_CAP = ChunkSettings().cap


def problems(outcome: Outcome, data: bytes) -> Iterator[str]:
    """Yield what is wrong with the outcome of reading some bytes."""
    if outcome.refusal is not None:
        code, message = outcome.refusal
        if code not in KNOWN:
            yield f"refused: {message}"
    elif outcome.document is None:
        yield "neither read nor refused"
    else:
        yield from _document_problems(outcome.document, data)


def difference(first: Outcome, second: Outcome) -> str:
    """Return how two outcomes of the same bytes differ; empty when they do not."""
    codes = [outcome.refusal and outcome.refusal[0] for outcome in (first, second)]
    if codes[0] != codes[1]:
        return f"once {codes[0] or 'read'}, then {codes[1] or 'read'}"
    if first.document is None or second.document is None:
        return ""
    # What `stat` says counts as unsure while a file is new.
    again = replace(second.document, signature=first.document.signature)
    return "" if first.document == again else "another document on a second read"


def _document_problems(document: PreparedDocument, data: bytes) -> Iterator[str]:
    text = document.text
    if text is None:
        try:
            text = decode(data).text
        except DocumentRefusedError as error:
            yield f"read, but its text is refused: {error.reason}"
            return
    else:
        yield from _odd_characters(text)
    if not document.chunks and text.strip():
        yield "text without chunks"
    before = 0
    for chunk in document.chunks:
        yield from _chunk_problems(chunk, text, before)
        before = chunk.end


def _odd_characters(text: str) -> Iterator[str]:
    for name, found in (("NUL", "\0" in text), ("a lone surrogate", not _encodable(text))):
        if found:
            yield f"its text has {name}"


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _chunk_problems(chunk: PreparedChunk, text: str, before: int) -> Iterator[str]:
    at = f"chunk {chunk.start}:{chunk.end}"
    if not 0 <= chunk.start < chunk.end <= len(text):
        yield f"{at} is empty or outside the text"
        return
    if chunk.content != text[chunk.start : chunk.end]:
        yield f"{at} is not what stands there"
    if chunk.start < before:
        yield f"{at} begins before the end of the last one"
    if len(chunk.content) > _CAP:
        yield f"{at} is longer than {_CAP:,}"
    if not chunk.content.strip():
        yield f"{at} is blank"
    if not 1 <= chunk.start_line <= chunk.end_line:
        yield f"{at} has lines {chunk.start_line} to {chunk.end_line}"
    quote = Quote(chunk.content, chunk.prefix, chunk.suffix)
    if locate(text, quote, chunk.start).verdict != "verified":
        yield f"{at} does not verify"
