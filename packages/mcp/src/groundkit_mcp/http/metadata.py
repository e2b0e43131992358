"""Protected resource metadata (RFC 9728), as the MCP authorization specification asks."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Scope

from groundkit_mcp.http.settings import HttpSettings

METADATA_PATH = "/.well-known/oauth-protected-resource"


def metadata_routes(settings: HttpSettings, scopes: frozenset[str]) -> list[Route]:
    """Return the routes of the metadata, of the whole service and of `/mcp`.

    Without authentication there are none: clients would take them for a call to authorize.
    """
    if not settings.auth.configured:
        return []

    async def metadata(request: Request) -> JSONResponse:
        found: dict[str, object] = {
            "resource": _resource(request.scope, settings.resource),
            "scopes_supported": sorted(scopes),
            "bearer_methods_supported": ["header"],
            "resource_name": "groundkit",
        }
        if settings.auth.issuer:
            found["authorization_servers"] = [settings.auth.issuer]
        return JSONResponse(found, headers={"Cache-Control": "max-age=300"})

    return [Route(path, metadata) for path in (METADATA_PATH, f"{METADATA_PATH}/mcp")]


def metadata_url(scope: Scope, resource: str | None) -> str:
    """Return where the metadata of `/mcp` is."""
    parts = urlsplit(_resource(scope, resource))
    return f"{parts.scheme}://{parts.netloc}{METADATA_PATH}{parts.path}"


def _resource(scope: Scope, resource: str | None) -> str:
    """Return the address of `/mcp`; the Host header was checked before."""
    if resource:
        return resource
    host = next((value for key, value in scope["headers"] if key == b"host"), b"localhost")
    return f"{scope['scheme']}://{host.decode('latin-1')}/mcp"
