"""`/metrics`, for a scraper."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from groundkit_mcp.dispatch import Dispatcher
from groundkit_mcp.errors import ScopeError
from groundkit_mcp.http.recording import record_of
from groundkit_mcp.observability.metrics import Metrics

METRICS_PATH = "/metrics"
SCOPE = "metrics"
"""A scope of its own: the metrics name every open collection, whatever the caller may read."""


def metrics_route(metrics: Metrics, dispatcher: Dispatcher) -> Route:
    """Return the route; with authentication it asks for the scope `metrics`."""

    async def endpoint(request: Request) -> Response:
        if not record_of(request.scope).caller.may(SCOPE):
            raise ScopeError(SCOPE)
        collections = await run_in_threadpool(dispatcher.service.generations)
        running, queued = dispatcher.load
        body = metrics.exposition(running=running, queued=queued, collections=collections)
        headers = {"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
        return Response(body, headers=headers)

    return Route(METRICS_PATH, endpoint)
