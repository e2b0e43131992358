"""Answers requests inside the reading process."""

from __future__ import annotations

import base64
from functools import lru_cache
from pathlib import Path

from groundkit_core.anchors import Quote
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction
from groundkit_core.text import LineIndex
from groundkit_index.catalog.places import place_text
from groundkit_index.extracted import locate_extracted
from groundkit_index.isolation.messages import REQUEST, Answer, Draw, Locate, Located, Read
from groundkit_index.loaders import Limits, load
from groundkit_index.origins import origin_of
from groundkit_index.outlines import outline_of
from groundkit_index.prepare import digest
from groundkit_index.reading import read_file


def answer(request: bytes) -> Answer:
    """Return the answer to a request, which is JSON.

    Raises:
        MemoryError: the document needs more than it may.
    """
    asked = REQUEST.validate_json(request)
    try:
        if isinstance(asked, Read):
            return Answer(outcome=read_file(asked.job, asked.settings, outline_of))
        return _drawn(asked) if isinstance(asked, Draw) else _located(asked)
    except DocumentRefusedError as error:
        return Answer(refusal=(error.reason, error.detail))
    except RecursionError:
        return Answer(refusal=("over_limit", "its parts nest too deep"))


def _drawn(asked: Draw) -> Answer:
    from groundkit_index.loaders.pdf import draw_page

    origin = origin_of(asked.root, Path(asked.snapshots))
    data, _ = origin.read(asked.source, max_bytes=asked.max_bytes)
    image = draw_page(data, asked.page, asked.boxes, scale=asked.scale)
    return Answer(image=base64.b64encode(image).decode("ascii"))


def _located(asked: Locate) -> Answer:
    origin = origin_of(asked.root, Path(asked.snapshots))
    data, _ = origin.read(asked.source, max_bytes=asked.max_bytes)
    extraction = _extraction(asked.kind, _Bytes(digest(data), data))
    lines = LineIndex(extraction.text)
    return Answer(
        located=tuple(
            _found(extraction, lines, Quote(q.exact, q.prefix, q.suffix), q.start)
            for q in asked.quotes
        )
    )


def _found(extraction: Extraction, lines: LineIndex, quote: Quote, start: int) -> Located:
    found = locate_extracted(extraction.text, quote, start)
    if found.verdict == "drifted":
        return Located("drifted", start, start + len(quote.exact), 1, 1, None, "")
    first, last = lines.lines_of(found.start, found.end)
    where = extraction.place_of(found.start, found.end)
    return Located(
        found.verdict, found.start, found.end, first, last, where.page, place_text(where)
    )


class _Bytes:
    """Bytes that are compared by their digest."""

    def __init__(self, sha256: str, data: bytes) -> None:
        self.sha256 = sha256
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Bytes) and other.sha256 == self.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)


@lru_cache(maxsize=1)
def _extraction(kind: str, held: _Bytes) -> Extraction:
    return load(kind, held.data, Limits())[0]
