"""Reads bodies before anything looks at them: not too long, not too slow."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundkit_mcp.errors import BodyTooLargeError, SlowBodyError

_DRAINED = 8
"""So many times the cap is read and thrown away, so that the client gets to see the answer."""


class BodyMiddleware:
    """Passes a request on once its body has arrived.

    Args:
        app: what answers.
        longest: bytes.
        seconds: how long the whole body may take.
    """

    def __init__(self, app: ASGIApp, longest: int, seconds: float) -> None:
        self._app = app
        self._longest = longest
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on.

        Raises:
            BodyTooLargeError: its body is too long, declared or not.
            SlowBodyError: it did not arrive in time.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._read(scope, receive)
        except TimeoutError:
            raise SlowBodyError("the body did not arrive in time") from None
        if body is None:
            return  # the client is gone
        await self._app(scope, replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        if _declared(scope) > _DRAINED * self._longest:
            raise self._too_large()
        body, total = bytearray(), 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            total += len(part)
            if total > _DRAINED * self._longest:
                raise self._too_large()
            if total <= self._longest:
                body += part
            if not message.get("more_body", False):
                break
        if total > self._longest:
            raise self._too_large()
        return bytes(body)

    def _too_large(self) -> BodyTooLargeError:
        return BodyTooLargeError(f"a body may have {self._longest:,} bytes")


def _declared(scope: Scope) -> int:
    given = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
    return int(given) if given.isdigit() else 0


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read already, then what comes after it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
