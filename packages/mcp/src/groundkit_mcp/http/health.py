"""Whether the process lives, and whether it can answer."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from groundkit_mcp.context import ServiceContext


def health_routes(service: ServiceContext) -> list[Route]:
    """Return `/healthz` and `/readyz`; they tell nothing but a status."""

    async def healthz(_request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    async def readyz(_request: Request) -> JSONResponse:
        if await run_in_threadpool(service.ready):
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "starting"}, 503, headers={"Retry-After": "1"})

    return [Route("/healthz", healthz), Route("/readyz", readyz)]
