"""One call of an operation, as its handler sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundkit_mcp.auth.caller import LOCAL, Caller
from groundkit_mcp.limits import Deadline

if TYPE_CHECKING:
    from groundkit_mcp.context import ServiceContext
    from groundkit_mcp.observability import Counters
    from groundkit_mcp.records import RequestRecord


@dataclass(frozen=True, slots=True)
class Call:
    """What a handler works with, whichever surface the call came in by.

    Attributes:
        service: the deployment.
        record: where to note what a search came to.
        counters: what was asked of it so far, over all callers.
        caller: who asks, as verified; nothing in the input can change it.
        deadline: when the answer is no longer awaited; long work checks it.
        request_id: names the request in the log.
    """

    service: ServiceContext
    record: RequestRecord
    counters: Counters
    caller: Caller = LOCAL
    deadline: Deadline = Deadline(None)  # noqa: RUF009  immutable
    request_id: str = ""
