"""The outermost layer: gives every request its record and its id, and catches what is raised."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundkit_core.errors import GroundkitError
from groundkit_mcp.http.problems import problem
from groundkit_mcp.observability import Watch
from groundkit_mcp.observability.spans import parent_of
from groundkit_mcp.records import RequestRecord, Surface, set_record

_ID = b"x-request-id"
_DRAINED_BYTES = 1_000_000
_DRAINED_SECONDS = 0.5


class RecordMiddleware:
    """Makes the record of a request, in `scope["state"]["record"]` and for `current_record`.

    Args:
        app: what answers.
        watch: traces, counts and logs the request.
    """

    def __init__(self, app: ASGIApp, watch: Watch) -> None:
        self._app = app
        self._watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        record = RequestRecord(surface=_surface(scope["path"]))
        scope.setdefault("state", {})["record"] = record
        set_record(record)
        with self._watch.request(record, parent_of(scope["headers"])):
            await self._answer(record, scope, receive, send)

    async def _answer(
        self, record: RequestRecord, scope: Scope, receive: Receive, send: Send
    ) -> None:
        unread = _has_body(scope)

        async def receiving() -> Message:
            nonlocal unread
            message = await receive()
            unread = unread and bool(message.get("more_body", False))
            return message

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.status = message["status"]
                if unread:
                    await _drain(receiving)
                message["headers"] = [
                    *message.get("headers", ()),
                    (_ID, record.request_id.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    # Else the client could go on to send its body for as long as it likes.
                    *([(b"connection", b"close")] if unread else []),
                ]
            await send(message)

        try:
            await self._app(scope, receiving, sending)
        except Exception as error:
            if record.status is not None:
                record.kind = record.kind or GroundkitError.kind
                raise
            await problem(error, record)(scope, receiving, sending)


def record_of(scope: Scope) -> RequestRecord:
    """Return the record of a request."""
    record: RequestRecord = scope["state"]["record"]
    return record


def _surface(path: str) -> Surface:
    if path == "/mcp" or path.startswith("/mcp/"):
        return "mcp"
    return "rest" if path.startswith("/v1/") else "other"


async def _drain(receive: Receive) -> None:
    """Read what is on its way for a moment: closing upon unread bytes could lose the answer."""
    left = _DRAINED_BYTES
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAINED_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _has_body(scope: Scope) -> bool:
    headers = dict(scope["headers"])
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"
