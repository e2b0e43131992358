"""Serves the application until it is told to end."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundkit_core.errors import SettingsError
from groundkit_mcp.auth.files import WatchedFile
from groundkit_mcp.cursors import Cursors, parse_key
from groundkit_mcp.fastmcp_settings import pin_fastmcp
from groundkit_mcp.http.binding import connection_limits, listen
from groundkit_mcp.http.settings import LOOPBACK_NAMES, HttpSettings
from groundkit_mcp.lifecycle import end_on_signals

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from groundkit_core.settings import Settings
    from groundkit_mcp.auth.settings import AuthSettings
    from groundkit_mcp.logs import LogFormat

_KEEP_ALIVE_SECONDS = 15
_UNSPECIFIED = {"", "0.0.0.0", "::"}  # noqa: S104  compared with, not bound to


def serve_http(
    settings: Settings,
    *,
    host: str,
    port: int,
    allow_remote: bool,
    names: Sequence[str],
    auth: AuthSettings,
    resource: str | None = None,
    docs: Path | None = None,
    watch: bool = False,
    debug: bool = False,
    tools: str = "full",
    cursor_key: Path | None = None,
    log_format: LogFormat = "line",
) -> None:
    """Serve until SIGTERM or SIGINT; requests that run then have some seconds to end.

    Args:
        settings: where the collections are, which is asked by default, how they are ranked.
        host: what to listen on.
        port: 0 takes a free one.
        allow_remote: listen on an address that others can reach; needs authentication, too.
        names: what the Host header may carry beside the loopback names.
        auth: how callers prove who they are.
        resource: the address under which clients reach `/mcp`.
        docs: a folder to index into the collection meanwhile.
        watch: keep the index in step while the folder changes.
        debug: log whole tracebacks.
        tools: which operations are offered, a name of `TOOLSETS`.
        cursor_key: a file with the key that replicas share, so that each takes up where another
            left off [a key of this process].
        log_format: one line an event, or JSON with a line for every request.

    Raises:
        SettingsError: it cannot listen there, or may not.
    """
    http = HttpSettings(hosts=_hosts(host, names), auth=auth, resource=resource)
    sockets = listen(host, port, allowed=allow_remote and auth.configured)
    with contextlib.ExitStack() as cleanup:
        for opened in sockets:
            cleanup.callback(opened.close)
        # The server raises the signal again once it has drained.
        end_on_signals(cleanup.close)
        pin_fastmcp()
        from groundkit_mcp.deployment import service_of
        from groundkit_mcp.http.app import build_app
        from groundkit_mcp.logs import log_to_stderr
        from groundkit_mcp.operations.registry import TOOLSETS

        log_to_stderr(debug=debug, form=log_format)
        service = service_of(settings, docs, watch=watch, cursors=_cursors(cursor_key))
        cleanup.callback(service.abandon)
        app = build_app(service, http, operations=TOOLSETS[tools])
        _announce(sockets)
        server_of(app, http).run(sockets=sockets)


def _cursors(key: Path | None) -> Cursors:
    return Cursors(WatchedFile(key, parse_key).value() if key else None)


def server_of(app: Starlette, settings: HttpSettings) -> uvicorn.Server:
    """Return a server that says nothing of itself and logs no request."""
    import uvicorn

    from groundkit_mcp.http.protocol import impatient

    most, backlog = connection_limits()
    config = uvicorn.Config(
        app,
        http=impatient(settings.header_seconds, most),
        backlog=backlog,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.drain_seconds,
    )
    return uvicorn.Server(config)


def _hosts(host: str, names: Sequence[str]) -> frozenset[str]:
    given = {name.strip().lower().strip("[]") for name in names}
    if any(not name or set(name) & set("*/ @") for name in given):
        raise SettingsError("--allow-host takes one host name or address, without port or wildcard")
    own = host.lower().strip("[]")
    return LOOPBACK_NAMES | given | (set() if own in _UNSPECIFIED else {own})


def _announce(sockets: Sequence[socket.socket]) -> None:
    for opened in sockets:
        name, port = opened.getsockname()[:2]
        shown = f"[{name}]" if ":" in name else name
        click.echo(f"groundkit-mcp: listening on http://{shown}:{port}/mcp", err=True)
