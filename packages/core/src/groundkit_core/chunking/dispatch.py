"""The chunker for each kind of document."""

from __future__ import annotations

from groundkit_core.chunking.code.chunker import chunk_code
from groundkit_core.chunking.config import chunk_config
from groundkit_core.chunking.markdown.chunker import chunk_markdown
from groundkit_core.chunking.overlap import overlapped
from groundkit_core.chunking.plain import chunk_plain
from groundkit_core.chunking.rst import chunk_rst
from groundkit_core.chunking.settings import DEFAULTS, limits_of
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkedText, ChunkSettings
from groundkit_core.text import unify_newlines

_PROSE = {"markdown": chunk_markdown, "rst": chunk_rst, "text": chunk_plain}


def chunk(text: str, kind: Kind, settings: ChunkSettings = DEFAULTS) -> ChunkedText:
    """Splits a document into chunks along its structure.

    Every visible character of the text lies in a chunk. Chunks are in order, are at
    most `settings.cap` long, and do not overlap unless `settings.overlap` says so.
    They start and end with visible text, except that code keeps its first line's
    indentation. Front matter is kept.

    Args:
        text: the decoded text; the spans are its offsets.
        kind: what the text is.
        settings: sizes in code points.

    Raises:
        SettingsError: the settings contradict each other.
    """
    limits = limits_of(settings)
    unified = unify_newlines(text)
    if kind.name in {"code", "config"}:
        chunker = chunk_code if kind.name == "code" else chunk_config
        chunked = chunker(unified, kind.language or "", limits)
    else:
        chunked = _PROSE[kind.name](unified, limits)
    if not settings.overlap:
        return chunked
    spans = overlapped(unified, chunked.spans, settings.overlap)
    return ChunkedText(chunked.title, spans)
