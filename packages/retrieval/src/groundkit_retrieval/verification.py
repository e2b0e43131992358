"""Checks that a citation's source still holds the quote."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from groundkit_core.anchors import Quote, locate
from groundkit_core.contracts import Verdict
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Where
from groundkit_core.text import LineIndex, decode, decode_as
from groundkit_index.catalog.places import parse_place
from groundkit_index.catalog.records import ChunkRecord, RootRecord
from groundkit_index.origins import Origin, origin_of
from groundkit_retrieval.relocation import Relocator

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
        where: its page, slide, cells or boxes, in a format that has such.
        commit: the commit that the source was read at.
    """

    verdict: Verdict
    start: int
    end: int
    start_line: int
    end_line: int
    where: Where = field(default_factory=Where)
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """What a source holds now: unchanged, a text, one to extract, or why there is none."""

    unchanged: bool = False
    text: str | None = None
    lines: LineIndex | None = None
    extract: bool = False
    verdict: Verdict = "drifted"


class Verifier:
    """Checks chunks against their sources; a source is looked at once.

    A source whose signature is unchanged since ingest costs one `stat`; another is read.
    Make a new one for each search.

    Args:
        roots: the registered roots.
        snapshots: the folder of what was fetched.
        relocator: extracts changed documents again.
    """

    def __init__(self, roots: Iterable[RootRecord], snapshots: Path, relocator: Relocator) -> None:
        self._roots = {root.root_key: root for root in roots}
        self._snapshots = snapshots
        self._relocator = relocator
        self._origins: dict[int, Origin] = {}
        self._sources: dict[int, _Source] = {}

    def check(self, record: ChunkRecord) -> Checked:
        """Return the verdict on a chunk's citation."""
        source = self._sources.get(record.doc_key)
        if source is None:
            if len(self._sources) >= _KEPT_SOURCES:
                self._sources.clear()
            source = self._sources[record.doc_key] = self._look(record)
        commit = self._origin(record).commit()
        if source.unchanged:
            return _as_ingested(record, "verified", commit)
        if source.extract:
            return self._relocated(record)
        if source.text is None or source.lines is None:
            return _as_ingested(record, source.verdict, commit)
        quote = Quote(record.content, record.prefix, record.suffix)
        found = locate(source.text, quote, record.start)
        if found.verdict == "drifted":
            return _as_ingested(record, "drifted", commit)
        first, last = source.lines.lines_of(found.start, found.end)
        return Checked(found.verdict, found.start, found.end, first, last, commit=commit)

    def _relocated(self, record: ChunkRecord) -> Checked:
        root = self._roots[record.root_key]
        found = self._relocator.locate(record, root.path, self._snapshots)
        if found is None or found.verdict == "drifted":
            return _as_ingested(record, "drifted")
        where = parse_place(found.place, found.page)
        return Checked(
            found.verdict, found.start, found.end, found.start_line, found.end_line, where
        )

    def _origin(self, record: ChunkRecord) -> Origin:
        origin = self._origins.get(record.root_key)
        if origin is None:
            path = self._roots[record.root_key].path
            origin = self._origins[record.root_key] = origin_of(path, self._snapshots)
        return origin

    def _look(self, record: ChunkRecord) -> _Source:
        origin = self._origin(record)
        if origin.stat(record.source) == record.signature:
            return _Source(unchanged=True)
        try:
            data, _ = origin.read(record.source, max_bytes=_MAX_BYTES)
            if hashlib.sha256(data).hexdigest() == record.sha256:
                return _Source(unchanged=True)
            if record.extractor is not None:
                return _Source(extract=True)
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


def _as_ingested(record: ChunkRecord, verdict: Verdict, commit: str | None = None) -> Checked:
    return Checked(
        verdict,
        record.start,
        record.end,
        record.start_line,
        record.end_line,
        parse_place(record.place, record.page),
        commit,
    )
