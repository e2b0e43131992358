"""What is known of the request that is being answered, for whoever logs, counts or traces it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from groundkit_mcp.auth.caller import LOCAL, Caller
from groundkit_mcp.failures import new_request_id

if TYPE_CHECKING:
    from groundkit_core.contracts import SearchResponse

Surface = Literal["stdio", "mcp", "rest", "other"]


@dataclass(slots=True)
class RequestRecord:
    """One request; it never holds anything that was asked or found.

    Attributes:
        surface: where it came in; `other` for health, metadata and unknown paths.
        request_id: its id, made here, never taken from the caller.
        caller: who asks; `LOCAL` until a token was verified.
        operation: name of the operation that was run.
        kind: kind of the error it ended in.
        status: the HTTP status of the answer.
        waited: seconds until a thread was free.
        ran: seconds on the thread.
        whole: seconds from the first byte to the last; 0 until the request has ended.
        outcome: what a search came to: `ok` or the reason for the absence.
        mode: how the search was made.
        results: passages that it returned.
        degraded: whether a branch of it failed.
    """

    surface: Surface = "stdio"
    request_id: str = field(default_factory=new_request_id)
    caller: Caller = LOCAL
    operation: str | None = None
    kind: str | None = None
    status: int | None = None
    waited: float = 0.0
    ran: float = 0.0
    whole: float = 0.0
    outcome: str | None = None
    mode: str | None = None
    results: int = 0
    degraded: bool = False

    def note_search(self, found: SearchResponse) -> None:
        """Take note of what a search came to."""
        self.outcome = "ok" if found.status == "OK" else found.reason
        self.mode = found.mode
        self.results = len(found.results)
        self.degraded = found.coverage.degraded


_current: ContextVar[RequestRecord | None] = ContextVar("groundkit_request", default=None)


def current_record() -> RequestRecord:
    """Return the record of the HTTP request at hand; elsewhere a fresh one."""
    return _current.get() or RequestRecord()


@contextmanager
def recorded() -> Iterator[RequestRecord | None]:
    """Make a fresh record the current one for a while; None where there is one already."""
    if _current.get() is not None:
        yield None
        return
    token = _current.set(record := RequestRecord())
    try:
        yield record
    finally:
        _current.reset(token)


def set_record(record: RequestRecord) -> None:
    """Make a record the current one of this task and of what it starts."""
    _current.set(record)
