"""A bounded pool of threads that gives every principal its turn."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from groundkit_mcp.errors import DeadlineError, OverloadedError
from groundkit_mcp.limits import Deadline, Limits

T = TypeVar("T")


class WorkerPool:
    """Runs plain functions off the event loop.

    A free thread goes to the principals in turn, so that one with many calls waiting delays
    another by one call at the most. A call that nobody awaits any more keeps its thread until it
    returns, and counts until then.

    Args:
        limits: how many run at once, and how many wait.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="groundkit")
        self._running: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def busy(self) -> int:
        """Threads in use."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return sum(map(len, self._waiting.values()))

    def close(self) -> None:
        """Take no more calls; those on a thread go on."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, share: Hashable, deadline: Deadline, function: Callable[[], T]) -> T:
        """Return what the function returns.

        Args:
            share: whose turn it uses up.
            deadline: when to stop waiting for it.
            function: called on a thread, in a copy of the current context.

        Raises:
            OverloadedError: too many calls of this principal wait already.
            DeadlineError: the time is over; the function goes on until it notices.
        """
        try:
            # Without a deadline the remaining time is infinite, which asyncio takes as None.
            limit = None if deadline.remaining == float("inf") else deadline.remaining
            async with asyncio.timeout(limit):
                await self._turn(share)
                return await self._on_thread(share, function)
        except TimeoutError:
            if not deadline.passed:
                raise
            raise DeadlineError(
                "the call took longer than it may; ask for less, or try again"
            ) from None

    async def _turn(self, share: Hashable) -> None:
        if share not in self._waiting and self._may_run(share):
            self._running[share] += 1
            return
        queue = self._waiting.setdefault(share, deque())
        if len(queue) >= self._limits.waiting:
            raise OverloadedError("too many calls of yours wait already; try again in a second")
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._withdraw(share, turn)
            raise

    async def _on_thread(self, share: Hashable, function: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()

        def ended(_done: Future[T]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended before the function
                loop.call_soon_threadsafe(self._leave, share)

        future = self._threads.submit(contextvars.copy_context().run, function)
        future.add_done_callback(ended)
        return await asyncio.wrap_future(future)

    def _may_run(self, share: Hashable) -> bool:
        return self.busy < self._limits.threads and self._running[share] < self._limits.share

    def _leave(self, share: Hashable) -> None:
        self._running[share] -= 1
        if not self._running[share]:
            del self._running[share]
        self._next()

    def _next(self) -> None:
        """Start the first call of the first principal that may run, and send it to the end."""
        for share in list(self._waiting):
            if not self._may_run(share):
                continue
            queue = self._waiting.pop(share)
            turn = queue.popleft()
            if queue:
                self._waiting[share] = queue
            self._running[share] += 1
            turn.set_result(None)

    def _withdraw(self, share: Hashable, turn: asyncio.Future[None]) -> None:
        if turn.done() and not turn.cancelled():
            self._leave(share)  # its turn had come in the same instant
            return
        queue = self._waiting.get(share)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[share]
