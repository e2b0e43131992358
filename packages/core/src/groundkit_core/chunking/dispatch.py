"""The chunker for each kind of document."""

from __future__ import annotations

from groundkit_core.chunking.asciidoc import chunk_asciidoc
from groundkit_core.chunking.code.chunker import Outliner, chunk_code
from groundkit_core.chunking.config.chunker import chunk_config
from groundkit_core.chunking.csv import chunk_csv
from groundkit_core.chunking.markdown.chunker import chunk_markdown
from groundkit_core.chunking.overlap import overlapped
from groundkit_core.chunking.plain import chunk_plain
from groundkit_core.chunking.rst import chunk_rst
from groundkit_core.chunking.settings import DEFAULTS, limits_of
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkedText, ChunkSettings
from groundkit_core.text import unify_newlines

_CHUNKERS = {
    "asciidoc": chunk_asciidoc,
    "csv": chunk_csv,
    "markdown": chunk_markdown,
    "rst": chunk_rst,
    "text": chunk_plain,
}


def chunk(
    text: str,
    kind: Kind,
    settings: ChunkSettings = DEFAULTS,
    *,
    outliner: Outliner | None = None,
) -> ChunkedText:
    """Splits a document into chunks along its structure.

    Every visible character of the text lies in a chunk. Chunks are in order, are at
    most `settings.cap` long, and do not overlap unless `settings.overlap` says so.
    They start and end with visible text, except that code keeps its first line's
    indentation. Front matter is kept.

    Args:
        text: the decoded text; the spans are its offsets.
        kind: what the text is.
        settings: sizes in code points.
        outliner: finds the definitions of source code; by default it is read line by line.

    Raises:
        SettingsError: the settings contradict each other.
    """
    limits = limits_of(settings)
    unified = unify_newlines(text)
    language = kind.language or ""
    if kind.name == "code":
        chunked = chunk_code(unified, language, limits, outliner)
    elif kind.name == "config":
        chunked = chunk_config(unified, language, limits)
    else:
        chunked = _CHUNKERS[kind.name](unified, limits)
    if not settings.overlap:
        return chunked
    spans = overlapped(unified, chunked.spans, settings.overlap)
    return ChunkedText(chunked.title, spans)
