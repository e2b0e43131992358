"""Leases on queue entries: take, renew, release."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

LEASE_TTL = timedelta(seconds=30)
MAX_RENEWALS_WITHOUT_PROGRESS = 40


class LeaseLost(RuntimeError):
    """Another worker owns the run now; stop without committing."""


class QueueTable(Protocol):
    def compare_and_set(self, run_id: str, expected: int, owner: str) -> int | None: ...
    def touch(self, run_id: str, fence: int) -> bool: ...
    def clear(self, run_id: str, fence: int) -> None: ...
    def progress_marker(self, run_id: str) -> int: ...


@dataclass(slots=True)
class Lease:
    run_id: str
    owner: str
    fence: int
    stale_renewals: int = 0
    last_marker: int = -1


def try_acquire(table: QueueTable, run_id: str, seen_fence: int, owner: str) -> Lease | None:
    """Return a lease, or None when somebody else was faster."""
    fence = table.compare_and_set(run_id, seen_fence, owner)
    if fence is None:
        return None
    return Lease(run_id=run_id, owner=owner, fence=fence)


def renew_or_abandon(table: QueueTable, lease: Lease) -> None:
    """Extend the lease; give it up when the program shows no sign of life.

    A program reports progress by growing its marker file. After
    MAX_RENEWALS_WITHOUT_PROGRESS renewals with an unchanged marker the run is
    considered hung and is left for another worker.
    """
    marker = table.progress_marker(lease.run_id)
    if marker == lease.last_marker:
        lease.stale_renewals += 1
    else:
        lease.stale_renewals = 0
        lease.last_marker = marker
    if lease.stale_renewals > MAX_RENEWALS_WITHOUT_PROGRESS:
        table.clear(lease.run_id, lease.fence)
        raise LeaseLost(f"{lease.run_id}: no progress")
    if not table.touch(lease.run_id, lease.fence):
        raise LeaseLost(f"{lease.run_id}: taken over")


def backoff_after_conflict(conflicts: int, rand: float) -> float:
    """Seconds to wait before polling again; rand is uniform in [0, 1)."""
    ceiling = min(6.4, 0.05 * 2 ** min(conflicts, 12))
    return ceiling * rand
