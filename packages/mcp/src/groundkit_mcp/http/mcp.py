"""The MCP endpoint: streamable HTTP without sessions, for both eras of the protocol."""

from __future__ import annotations

from typing import Any

from fastmcp import FastMCP
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from groundkit_mcp.errors import MalformedError, MediaTypeError
from groundkit_mcp.http.arguments import parse_json
from groundkit_mcp.http.bodies import replay
from groundkit_mcp.http.recording import record_of
from groundkit_mcp.http.rpc_errors import SafeErrors

PATH = "/mcp"


def mcp_route(server: FastMCP[Any]) -> tuple[Route, Lifespan[Any]]:
    """Return the route of the endpoint, and what must run around the application.

    Every request stands for itself, so replicas need no stickiness. Host, Origin, token and body
    are the business of the layers around it.
    """
    inner = server.http_app(
        path=PATH, stateless_http=True, json_response=True, host_origin_protection=False
    )
    (route,) = (r for r in inner.routes if isinstance(r, Route) and r.path == PATH)
    return Route(PATH, _Envelope(route.app), methods=["POST"]), inner.lifespan


class _Envelope:
    """Refuses what is no JSON-RPC message; the library's own refusals repeat the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise MediaTypeError("the body must be application/json")
        body = await request.body()
        try:
            message = parse_json(body)
        except MalformedError:
            await _refusal(scope, PARSE_ERROR, "Parse error")(scope, receive, send)
            return
        if not _is_message(message):
            await _refusal(scope, INVALID_REQUEST, "Invalid request")(scope, receive, send)
            return
        await SafeErrors(self._app)(scope, replay(body, receive), send)


def _is_message(message: object) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "id" in message and type(message["id"]) not in (int, str):
        return False
    if "method" in message:
        return isinstance(message["method"], str) and isinstance(message.get("params", {}), dict)
    return isinstance(message.get("result", message.get("error")), dict)


def _refusal(scope: Scope, code: int, message: str) -> JSONResponse:
    record = record_of(scope)
    record.kind = MalformedError.kind
    data = {"kind": record.kind, "request_id": record.request_id}
    error = {"code": code, "message": message, "data": data}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)
