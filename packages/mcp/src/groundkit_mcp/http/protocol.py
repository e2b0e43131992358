"""HTTP/1.1 that does not wait for ever for the head of a request."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


def impatient(seconds: float) -> type[H11Protocol]:
    """Return uvicorn's protocol with a limit to how long the head of a request may take.

    uvicorn limits only the time between requests; a client that sends a byte now and then would
    hold its connection for ever.

    Args:
        seconds: from the connection, or from the first byte after the last answer.
    """

    class ImpatientProtocol(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            if self.conn.their_state is h11.IDLE:
                self._wait()
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._stop()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _wait(self) -> None:
            if self._timer is None:
                self._timer = self.loop.call_later(seconds, self.transport.abort)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return ImpatientProtocol
