"""Runs operations for every surface: scope, arguments, a thread, a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from groundkit_core.contracts import Contract
from groundkit_mcp.calls import Call
from groundkit_mcp.errors import ScopeError
from groundkit_mcp.limits import Deadline, Limits
from groundkit_mcp.observability import Counters
from groundkit_mcp.observability.spans import stage_span, start_stage
from groundkit_mcp.records import RequestRecord
from groundkit_mcp.workers import WorkerPool

if TYPE_CHECKING:
    from groundkit_mcp.context import ServiceContext
    from groundkit_mcp.operations import Operation

T = TypeVar("T")


class Dispatcher:
    """The one way from a surface to a handler.

    Args:
        service: what the handlers work on.
        limits: how much runs at once, and how long.
    """

    def __init__(self, service: ServiceContext, limits: Limits) -> None:
        self.service = service
        self.counters = Counters()
        self._limits = limits
        self._pool = WorkerPool(limits)

    async def run(
        self,
        operation: Operation,
        arguments: Mapping[str, object],
        record: RequestRecord,
        render: Callable[[Contract], T],
    ) -> T:
        """Return the rendered result of an operation.

        Args:
            operation: what to run.
            arguments: what the caller gave, unchecked.
            record: the request; takes note of what ran and for how long.
            render: turns the result into the surface's form, on the same thread.

        Raises:
            ScopeError: the caller's token does not allow the operation.
            ValidationError: the arguments are not those of the operation.
            OverloadedError: too many calls of the caller wait.
            DeadlineError: the time is over.
        """
        record.operation = operation.name
        if not record.caller.may(operation.scope):
            raise ScopeError(operation.scope)
        given = operation.input_model.model_validate(arguments)
        call = self._call(record)
        queued = time.monotonic()
        queue = start_stage("queue")

        def work() -> T:
            started = time.monotonic()
            record.waited = started - queued
            queue.end()
            try:
                with stage_span("handler"):
                    call.deadline.check()
                    return render(operation.handler(call, given))
            finally:
                record.ran = time.monotonic() - started

        try:
            return await self._pool.run(record.caller.share, call.deadline, work)
        finally:
            if queue.is_recording():
                queue.end()  # no thread was free in time

    @property
    def load(self) -> tuple[int, int]:
        """Calls on a thread, and calls that wait for one."""
        return self._pool.busy, self._pool.waiting

    def close(self) -> None:
        """Take no more calls."""
        self._pool.close()

    def _call(self, record: RequestRecord) -> Call:
        """Bind a request to what it may use: here a principal meets the deployment."""
        return Call(
            service=self.service,
            record=record,
            counters=self.counters,
            caller=record.caller,
            deadline=Deadline(self._limits.deadline),
            request_id=record.request_id,
        )
