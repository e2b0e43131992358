"""Walks ranked candidates down to a page of checked, distinct passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from groundkit_core.contracts import ConfidencePolicy
from groundkit_core.filters import DocumentFilter
from groundkit_core.protocols import Check
from groundkit_index.catalog.records import ChunkRecord
from groundkit_retrieval.access import View
from groundkit_retrieval.duplicates import Fingerprint
from groundkit_retrieval.verification import Checked

_GROUNDED = frozenset({"verified", "relocated"})
_MAX_DEPTH = 200_000
_MAX_DUPLICATES = 20
_SPARE = 2

Fetch = Callable[[int, int], list["Candidate"]]
"""Returns up to `limit` candidates from `offset` on, best first."""


class Candidate(NamedTuple):
    """A chunk that a branch or the fusion ranked."""

    chunk_key: int
    score: float
    scores: dict[str, float]


@dataclass(slots=True)
class Selected:
    """A passage for the page, with the copies that were folded into it."""

    candidate: Candidate
    record: ChunkRecord
    checked: Checked
    fingerprint: Fingerprint
    duplicates: list[tuple[ChunkRecord, Checked]] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """The passages of a response and what was withheld from it."""

    selected: list[Selected] = field(default_factory=list)
    unverified: int = 0


def select(
    view: View,
    fetch: Fetch,
    where: DocumentFilter,
    check: Check,
    *,
    limit: int,
    policy: ConfidencePolicy,
    query_words: frozenset[str],
) -> Page:
    """Fill a page from ranked candidates.

    A candidate that the catalog does not hold is passed over; a copy of a passage above is
    folded into it; with `strict`, one that does not verify is withheld. The page is filled up
    from further down. What the catalog says of class and project decides, not a derived index.
    """
    verifier = view.verifier()
    page = Page()
    for candidate, record in _records(view, fetch, limit + _SPARE):
        check()
        # A derived index may be behind the catalog, whose word counts.
        if not where.allows(record.doc_key, record.source_class, record.project):
            continue
        fingerprint = Fingerprint.of(record.content, query_words)
        twin = next((s for s in page.selected if fingerprint.same_as(s.fingerprint)), None)
        if twin is None and len(page.selected) == limit:
            break
        checked = verifier.check(record)
        if policy == "strict" and checked.verdict not in _GROUNDED:
            page.unverified += 1
        elif twin is None:
            page.selected.append(Selected(candidate, record, checked, fingerprint))
        elif len(twin.duplicates) < _MAX_DUPLICATES:
            twin.duplicates.append((record, checked))
    return page


def _records(view: View, fetch: Fetch, limit: int) -> Iterator[tuple[Candidate, ChunkRecord]]:
    """Yield candidates with what the catalog holds of them, read in small portions."""
    offset, step = 0, 3 * limit
    while offset < _MAX_DEPTH:
        candidates = fetch(step, offset)
        for first in range(0, len(candidates), limit):
            portion = candidates[first : first + limit]
            held = view.chunks([candidate.chunk_key for candidate in portion])
            for candidate in portion:
                record = held.get(candidate.chunk_key)
                if record is not None:
                    yield candidate, record
        if len(candidates) < step:
            return
        offset, step = offset + step, 4 * step
