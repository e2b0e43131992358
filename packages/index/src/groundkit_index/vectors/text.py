"""The text of a chunk that is embedded."""

from __future__ import annotations

import hashlib

from groundkit_index.catalog.records import ChunkRecord


def embedded_text(record: ChunkRecord) -> str:
    """Return the content under its headings; those that the content begins with are not repeated.

    A passage often leaves its subject to the headings above it.
    """
    opening = record.content[:300]
    headings = [heading for heading in record.heading_path if heading not in opening]
    return "\n".join((" > ".join(headings), record.content)) if headings else record.content


def text_digest(text: str) -> bytes:
    """Return 16 bytes that name a text, so that it is embedded once under an identity."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
