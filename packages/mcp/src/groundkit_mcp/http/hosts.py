"""Refuses requests that were meant for somebody else or sent by somebody else's page."""

from __future__ import annotations

import re
from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from groundkit_mcp.errors import ForeignOriginError, UnknownHostError

_AUTHORITY = re.compile(
    r"(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9](?:[a-z0-9._-]{0,252})))(?::(\d{1,5}))?"
)
_DEFAULT_PORTS = {"http": "80", "https": "443"}


class HostMiddleware:
    """Checks the Host and Origin headers of every request, whatever its path.

    A page in a browser can make a name of its own point at a loopback address (DNS rebinding);
    then the Host header carries that name. An origin must be the very host that is asked.

    Args:
        app: what answers.
        hosts: the names that count, lower case, without a port.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on.

        Raises:
            UnknownHostError: it was meant for another host.
            ForeignOriginError: a page of another origin sent it.
        """
        if scope["type"] == "http":
            host = self._host(_values(scope, b"host"))
            _check_origin(_values(scope, b"origin"), host)
        await self._app(scope, receive, send)

    def _host(self, given: list[str]) -> tuple[str, str | None]:
        found = _AUTHORITY.fullmatch(given[0].lower()) if len(given) == 1 else None
        if found is not None:
            name = found[1] or found[2]
            if name in self._hosts:
                return name, found[3]
        raise UnknownHostError("this service does not answer to that host name; see --allow-host")


def _check_origin(given: list[str], host: tuple[str, str | None]) -> None:
    if not given:
        return
    scheme, _, rest = given[0].lower().partition("://")
    found = _AUTHORITY.fullmatch(rest) if len(given) == 1 else None
    default = _DEFAULT_PORTS.get(scheme)
    if found is None or default is None:
        raise ForeignOriginError("pages of other origins may not ask this service")
    name, port = host
    if (found[1] or found[2], found[3] or default) != (name, port or default):
        raise ForeignOriginError("pages of other origins may not ask this service")


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
