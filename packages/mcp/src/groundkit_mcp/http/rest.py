"""REST routes, rendered from the operation registry."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from groundkit_core.contracts import Contract
from groundkit_mcp.dispatch import Dispatcher
from groundkit_mcp.http.arguments import UrlArguments, body_arguments
from groundkit_mcp.http.recording import record_of
from groundkit_mcp.operations import Operation
from groundkit_mcp.rendering import present


def rest_routes(operations: Sequence[Operation], dispatcher: Dispatcher) -> list[Route]:
    """Return one route for each operation."""
    return [_route(operation, dispatcher) for operation in operations]


def _route(operation: Operation, dispatcher: Dispatcher) -> Route:
    url = UrlArguments(operation)

    async def endpoint(request: Request) -> Response:
        record = record_of(request.scope)
        arguments = url.read(request.path_params, request.scope["query_string"])
        if operation.method == "POST":
            types = request.headers.getlist("content-type")
            arguments |= body_arguments(types, await request.body())
        body = await dispatcher.run(operation, arguments, record, _rendered)
        return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})

    return Route(operation.path, endpoint, methods=[operation.method], name=operation.name)


def _rendered(found: Contract) -> bytes:
    """Return the same result that a tool call would have, byte budget included."""
    return present(found, text=False).json
