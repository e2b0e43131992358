"""HTTP/1.1 that neither waits for ever for the head of a request nor for everybody's."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


def impatient(seconds: float, most: int) -> type[H11Protocol]:
    """Return uvicorn's protocol with limits to what connections without a request may take.

    uvicorn limits only the time between requests; a client that sends a byte now and then would
    hold its connection for ever. It counts connections only to answer 503 to a request.

    Args:
        seconds: how long the head of a request may take, from the connection, or from the first
            byte after the last answer.
        most: connections at a time; one more is closed at once, without an answer.
    """

    class ImpatientProtocol(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            if len(self.connections) >= most:
                transport.abort()
                return
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
            if self.transport is not None:  # else it was turned away
                super().connection_lost(exc)

        def _wait(self) -> None:
            if self._timer is None:
                self._timer = self.loop.call_later(seconds, self.transport.abort)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return ImpatientProtocol
