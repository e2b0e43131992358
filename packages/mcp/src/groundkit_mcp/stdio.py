"""Serves on standard input and output, and keeps everything but the protocol off the output."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from groundkit_mcp.fastmcp_settings import pin_fastmcp
from groundkit_mcp.lifecycle import end_on_signals, end_with_client

if TYPE_CHECKING:
    from groundkit_core.settings import Settings


def serve_stdio(
    settings: Settings,
    *,
    docs: Path | None = None,
    watch: bool = False,
    debug: bool = False,
    tools: str = "full",
) -> None:
    """Serve until the client goes; returns then.

    Args:
        settings: where the collections are, which is asked by default, how they are ranked.
        docs: a folder to index into that collection meanwhile.
        watch: keep the index in step while the folder changes.
        tools: which tools are offered, a name of `TOOLSETS`.
        debug: log whole tracebacks.
    """
    stdout = _take_stdout()
    pin_fastmcp()
    with contextlib.ExitStack() as cleanup:
        end_on_signals(cleanup.close)
        with without_gc():
            from groundkit_mcp.deployment import service_of
            from groundkit_mcp.logs import log_to_stderr
            from groundkit_mcp.operations.registry import TOOLSETS
            from groundkit_mcp.server import build_server

            log_to_stderr(debug=debug)
            context = service_of(settings, docs, watch=watch)
            cleanup.callback(context.abandon)
            server = build_server(
                context, operations=TOOLSETS[tools], on_first_message=stdout.withdraw
            )
        end_with_client(context.abandon)
        try:
            server.run("stdio", show_banner=False)
        except* (BrokenPipeError, ConnectionError):
            pass  # the client is gone, which is how this ends


class _Stdout:
    """Stands in for `sys.stdout`: prints to standard error, and lends the wire to the SDK.

    The SDK takes `buffer` when it starts to serve; after that nobody gets it any more.
    """

    def __init__(self, wire: BinaryIO) -> None:
        self.buffer: IO[bytes] = wire

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)

    def withdraw(self) -> None:
        """Lend the wire no longer."""
        self.buffer = sys.stderr.buffer


def _take_stdout() -> _Stdout:
    """Keep the wire for the protocol; from here on, file 1 and `print` are standard error."""
    sys.stdout.flush()
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    stdout = _Stdout(wire)
    sys.stdout = cast("TextIO", stdout)
    return stdout


@contextlib.contextmanager
def without_gc() -> Iterator[None]:
    """Import without the garbage collector, which would look through it all again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
