"""Takes the caller's own words out of the protocol's errors."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundkit_mcp.errors import MalformedError
from groundkit_mcp.http.recording import record_of

_MESSAGES = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid request",
    METHOD_NOT_FOUND: "Method not found",
    INVALID_PARAMS: "Invalid params",
    INTERNAL_ERROR: "Internal error",
    HEADER_MISMATCH: "Headers do not match the body",
    UNSUPPORTED_PROTOCOL_VERSION: "Unsupported protocol version",
}
_ERROR = b'"error":{"code":'


class SafeErrors:
    """Replaces the message of a JSON-RPC error by that of its code; the library's repeats input.

    Results and our own errors pass unchanged. The versions that are supported stay, because
    clients choose by them.

    Args:
        app: answers with one JSON document.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        start: Message = {}
        body = bytearray()

        async def sending(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            body.extend(message.get("body", b""))
            if message.get("more_body", False):
                return
            safe = self._safe(scope, bytes(body))
            start["headers"] = [
                (key, str(len(safe)).encode() if key == b"content-length" else value)
                for key, value in start["headers"]
            ]
            await send(start)
            await send({"type": "http.response.body", "body": safe})

        await self._app(scope, receive, sending)

    def _safe(self, scope: Scope, body: bytes) -> bytes:
        # In a JSON text a quote is escaped, so this stands only where a member is.
        if _ERROR not in body:
            return body
        told: dict[str, Any] = json.loads(body)
        if "error" not in told:
            return body
        record = record_of(scope)
        code, given = told["error"]["code"], told["error"].get("data")
        if isinstance(given, dict) and given.get("request_id") == record.request_id:
            return body  # our own words
        record.kind = "internal" if code == INTERNAL_ERROR else MalformedError.kind
        data = {"kind": record.kind, "request_id": record.request_id}
        if code == UNSUPPORTED_PROTOCOL_VERSION:
            data |= given or {}
        message = _MESSAGES.get(code, "Request failed")
        told["error"] = {"code": code, "message": message, "data": data}
        return json.dumps(told, separators=(",", ":")).encode()
