"""Checks that a citation's source still holds the quote."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from groundkit_core.anchors import Quote, locate
from groundkit_core.contracts import Verdict
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.paths import read_beneath, stat_beneath
from groundkit_core.text import LineIndex, decode, decode_as
from groundkit_index.catalog.records import ChunkRecord, RootRecord

_MAX_BYTES = 2**31
_KEPT_SOURCES = 64
_GONE = frozenset({"missing"})
_FORBIDDEN = frozenset({"symlink", "not_regular", "permission", "outside_root", "hard_link"})


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict and where the quote stands now.

    Attributes:
        start: first code point in the current text; as at ingest unless `relocated`.
        end: one past the last.
        start_line: line of the first character, from 1.
        end_line: line of the last character, from 1.
    """

    verdict: Verdict
    start: int
    end: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class _Source:
    """What a source holds now: unchanged, a text, or a verdict why there is none."""

    unchanged: bool = False
    text: str | None = None
    lines: LineIndex | None = None
    verdict: Verdict = "drifted"


class Verifier:
    """Checks chunks against their sources; a source is looked at once.

    A source whose signature is unchanged since ingest costs one `stat`; another is read.
    Make a new one for each search.

    Args:
        roots: the registered roots.
    """

    def __init__(self, roots: Iterable[RootRecord]) -> None:
        self._folders = {root.root_key: Path(root.path) for root in roots}
        self._sources: dict[int, _Source] = {}

    def check(self, record: ChunkRecord) -> Checked:
        """Return the verdict on a chunk's citation."""
        source = self._sources.get(record.doc_key)
        if source is None:
            if len(self._sources) >= _KEPT_SOURCES:
                self._sources.clear()
            source = self._sources[record.doc_key] = self._look(record)
        if source.unchanged:
            return _as_ingested(record, "verified")
        if source.text is None or source.lines is None:
            return _as_ingested(record, source.verdict)
        quote = Quote(record.content, record.prefix, record.suffix)
        found = locate(source.text, quote, record.start)
        if found.verdict == "drifted":
            return _as_ingested(record, "drifted")
        first, last = source.lines.lines_of(found.start, found.end)
        return Checked(found.verdict, found.start, found.end, first, last)

    def _look(self, record: ChunkRecord) -> _Source:
        folder = self._folders[record.root_key]
        if stat_beneath(folder, record.source) == record.signature:
            return _Source(unchanged=True)
        try:
            data, _ = read_beneath(folder, record.source, max_bytes=_MAX_BYTES)
            if hashlib.sha256(data).hexdigest() == record.sha256:
                return _Source(unchanged=True)
            text = current_text(data, record.encoding)
        except DocumentRefusedError as error:
            return _Source(verdict=_verdict_of(error))
        return _Source(text=text, lines=LineIndex(text))


def current_text(data: bytes, encoding: str) -> str:
    """Decode a source as at ingest, or anew when it changed its encoding."""
    try:
        return decode_as(data, encoding)
    except DocumentRefusedError:
        return decode(data).text


def _verdict_of(error: DocumentRefusedError) -> Verdict:
    if error.reason in _GONE:
        return "missing"
    return "refused" if error.reason in _FORBIDDEN else "drifted"


def _as_ingested(record: ChunkRecord, verdict: Verdict) -> Checked:
    return Checked(verdict, record.start, record.end, record.start_line, record.end_line)
