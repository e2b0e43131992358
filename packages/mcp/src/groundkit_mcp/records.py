"""What is known of the request that is being answered, for whoever logs, counts or traces it."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

from groundkit_mcp.auth.caller import LOCAL, Caller
from groundkit_mcp.failures import new_request_id

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
    """

    surface: Surface = "stdio"
    request_id: str = field(default_factory=new_request_id)
    caller: Caller = LOCAL
    operation: str | None = None
    kind: str | None = None
    status: int | None = None
    waited: float = 0.0
    ran: float = 0.0


_current: ContextVar[RequestRecord | None] = ContextVar("groundkit_request", default=None)


def current_record() -> RequestRecord:
    """Return the record of the HTTP request at hand; elsewhere a fresh one."""
    return _current.get() or RequestRecord()


def set_record(record: RequestRecord) -> None:
    """Make a record the current one of this task and of what it starts."""
    _current.set(record)
