"""The application: MCP at `/mcp`, REST below `/v1`, and the layers around both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from groundkit_mcp.auth.settings import authenticator_of
from groundkit_mcp.context import ServiceContext
from groundkit_mcp.dispatch import Dispatcher
from groundkit_mcp.http.authentication import AuthenticationMiddleware
from groundkit_mcp.http.bodies import BodyMiddleware
from groundkit_mcp.http.health import health_routes
from groundkit_mcp.http.hosts import HostMiddleware
from groundkit_mcp.http.mcp import mcp_route
from groundkit_mcp.http.metadata import metadata_routes
from groundkit_mcp.http.metrics import metrics_route
from groundkit_mcp.http.openapi import openapi
from groundkit_mcp.http.problems import on_routing_error
from groundkit_mcp.http.recording import RecordMiddleware
from groundkit_mcp.http.rest import rest_routes
from groundkit_mcp.http.settings import HttpSettings
from groundkit_mcp.observability import Watch
from groundkit_mcp.observability.access_log import access_log
from groundkit_mcp.observability.metrics import Metrics
from groundkit_mcp.observability.vocabulary import Vocabulary
from groundkit_mcp.operations import OPERATIONS, Operation
from groundkit_mcp.operations.registry import FETCH_CHUNK
from groundkit_mcp.server import build_server

_TRANSPORTS = ("streamable-http", "rest")


def build_app(
    context: ServiceContext,
    settings: HttpSettings,
    *,
    operations: Sequence[Operation] = OPERATIONS,
    layers: Sequence[Middleware] = (),
) -> Starlette:
    """Return the application of a deployment.

    Args:
        context: what the handlers work on; started with the application, closed with it.
        settings: who may ask, and how much.
        operations: what is offered, on every surface alike.
        layers: ASGI middleware just inside the record of the request, so that it sees every
            request, every refusal, and `record_of(scope)` complete once the answer was sent.

    Raises:
        SettingsError: authentication is half configured, or a file of it is unusable.
    """
    dispatcher = Dispatcher(context, settings.limits)
    vocabulary = Vocabulary.of(operation.name for operation in (*operations, FETCH_CHUNK))
    metrics = Metrics(vocabulary)
    watch = Watch(vocabulary, dispatcher.counters, [metrics.note, access_log(vocabulary)])
    scopes = frozenset(operation.scope for operation in operations)
    server = build_server(
        context, operations=operations, dispatcher=dispatcher, transports=_TRANSPORTS
    )
    mcp, around = mcp_route(server)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        context.start()
        try:
            async with around(app):
                yield
        finally:
            dispatcher.close()
            context.abandon()

    app = Starlette(
        routes=[
            mcp,
            *rest_routes(operations, dispatcher),
            _openapi_route(operations, settings),
            *health_routes(context),
            metrics_route(metrics, dispatcher),
            *metadata_routes(settings, scopes),
        ],
        middleware=[
            Middleware(RecordMiddleware, watch),
            *layers,
            Middleware(HostMiddleware, settings.hosts),
            Middleware(
                AuthenticationMiddleware, authenticator_of(settings.auth), scopes, settings.resource
            ),
            Middleware(BodyMiddleware, settings.body_bytes, settings.body_seconds),
        ],
        exception_handlers={HTTPException: on_routing_error},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _openapi_route(operations: Sequence[Operation], settings: HttpSettings) -> Route:
    document = openapi(operations, secured=settings.auth.configured)

    async def endpoint(_request: Request) -> JSONResponse:
        return JSONResponse(document)

    return Route("/openapi.json", endpoint)
