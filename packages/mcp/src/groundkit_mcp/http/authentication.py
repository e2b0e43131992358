"""Asks every request but the public ones for a bearer token."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Receive, Scope, Send

from groundkit_mcp.auth.bearer import Authenticator
from groundkit_mcp.errors import AuthenticationError, ScopeError
from groundkit_mcp.http.metadata import METADATA_PATH, metadata_url
from groundkit_mcp.http.metrics import METRICS_PATH
from groundkit_mcp.http.problems import problem
from groundkit_mcp.http.recording import record_of

PUBLIC_PATHS = frozenset({"/healthz", "/readyz", METADATA_PATH, f"{METADATA_PATH}/mcp"})
"""What anybody may ask; it tells nothing of documents."""

_TOKEN_PARAMETERS = frozenset({"access_token", "token", "bearer_token", "id_token"})


class AuthenticationMiddleware:
    """Puts the verified caller into the record of the request, or answers 401 or 403.

    Args:
        app: what answers.
        authenticator: what checks tokens; None lets everybody in as the local principal.
        scopes: the scopes that the operations need.
        resource: the address under which clients reach `/mcp` [taken from the Host header].
    """

    def __init__(
        self,
        app: ASGIApp,
        authenticator: Authenticator | None,
        scopes: frozenset[str],
        resource: str | None = None,
    ) -> None:
        self._app = app
        self._authenticator = authenticator
        self._scopes = scopes
        self._resource = resource

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or self._authenticator is None or scope["path"] in PUBLIC_PATHS:
            await self._app(scope, receive, send)
            return
        try:
            await self._identify(scope, self._authenticator)
            await self._app(scope, receive, send)
        except (AuthenticationError, ScopeError) as error:
            headers = {"WWW-Authenticate": self._challenge(error, scope)}
            await problem(error, record_of(scope), headers)(scope, receive, send)

    async def _identify(self, scope: Scope, authenticator: Authenticator) -> None:
        if _carries_token(scope["query_string"]):
            raise AuthenticationError("invalid_request")
        given = [
            value.decode("latin-1") for key, value in scope["headers"] if key == b"authorization"
        ]
        record = record_of(scope)
        record.caller = await authenticator.caller_of(given)
        # A token of the right issuer that was not made for any operation here opens nothing.
        # `/metrics` asks for a scope that is no operation's.
        checked = record.surface == "rest" or scope["path"] == METRICS_PATH
        if not checked and not any(map(record.caller.may, self._scopes)):
            raise ScopeError(min(self._scopes))

    def _challenge(self, error: AuthenticationError | ScopeError, scope: Scope) -> str:
        parts = []
        if isinstance(error, ScopeError):
            parts += ['error="insufficient_scope"', f'scope="{error.scope}"']
        else:
            parts += [f'error="{error.code}"'] if error.code else []
            parts += [f'scope="{" ".join(sorted(self._scopes))}"']
        parts.append(f'resource_metadata="{metadata_url(scope, self._resource)}"')
        return f"Bearer {', '.join(parts)}"


def _carries_token(query: bytes) -> bool:
    names = {name.lower() for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)}
    return not names.isdisjoint(_TOKEN_PARAMETERS)
