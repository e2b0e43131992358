"""Errors as problem details (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from groundkit_mcp.errors import MethodError, RouteNotFoundError, ScopeError
from groundkit_mcp.failures import failure_of
from groundkit_mcp.records import RequestRecord, current_record

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:groundkit:error:"


def problem(
    error: Exception, record: RequestRecord, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the answer to a request that failed.

    Args:
        error: why.
        record: the request; takes note of the kind.
        headers: what to add to the answer's headers.
    """
    failure = failure_of(error, record.request_id)
    record.kind = failure.kind
    body = {
        "type": f"{TYPE_PREFIX}{failure.kind}",
        "title": failure.kind.replace("_", " ").capitalize(),
        "status": failure.status,
        "detail": failure.message,
        "kind": failure.kind,
        "request_id": failure.request_id,
    }
    if isinstance(error, ScopeError):
        body["scope"] = error.scope
    extra = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
    return Response(
        json.dumps(body, ensure_ascii=False),
        failure.status,
        headers={"Cache-Control": "no-store", **extra, **(headers or {})},
        media_type=MEDIA_TYPE,
    )


async def on_routing_error(_request: Request, error: Exception) -> Response:
    """Answer a path or a method that no route takes."""
    told: Exception = error
    headers: Mapping[str, str] | None = None
    if isinstance(error, HTTPException):
        headers = error.headers
        if error.status_code == 404:
            told = RouteNotFoundError("there is nothing at this path; see /openapi.json")
        elif error.status_code == 405:
            told = MethodError("this path does not take this method; see /openapi.json")
    return problem(told, current_record(), headers)
