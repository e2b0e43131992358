"""Asks a tool of an MCP server, over stdio or streamable HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.runs import Answer, Searcher
from groundkit_eval.targets.definitions import McpTarget
from groundkit_eval.targets.mapping import Mapped, filled

if TYPE_CHECKING:
    from mcp import Client

_LOG_BYTES = 4096


@contextlib.contextmanager
def open_mcp(name: str, target: McpTarget, names: Mapping[str, str]) -> Iterator[Searcher]:
    """Start or reach the server and give a search by its tool; one session is kept open.

    Raises:
        EvaluationError: the extra `mcp` is missing, or the server cannot be reached or fails.
    """
    try:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client
    except ImportError:
        raise EvaluationError(
            f"{name} is an MCP server, which needs the extra: pip install 'groundkit-eval[mcp]'"
        ) from None
    mapped = Mapped(name, target, names)
    with tempfile.TemporaryFile() as log, start_blocking_portal() as portal:
        try:
            opened = portal.wrap_async_context_manager(_connected(target, log, Client))
            client = opened.__enter__()
        except Exception as error:  # noqa: BLE001 - whatever a server does is told in one line
            raise _failed(name, "could not be started or reached", error, log) from None
        try:

            def search(query: JudgedQuery, limit: int) -> Answer:
                arguments = filled(target.arguments, query, min(limit, target.limit))
                try:
                    found = portal.call(_call, client, target, arguments)
                except Exception as error:  # noqa: BLE001 - the same
                    raise _failed(name, f"failed at query {query.id}", error, log) from None
                if isinstance(found, _Refusal):
                    raise _failed(name, f"refused query {query.id}", found.reason, log)
                return mapped.answer(found, limit)

            yield Searcher(search)
        finally:
            with contextlib.suppress(Exception):
                opened.__exit__(None, None, None)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """What the tool says when it failed."""

    reason: str


@contextlib.asynccontextmanager
async def _connected(target: McpTarget, log: IO[bytes], make: type[Client]) -> Any:
    async with contextlib.AsyncExitStack() as opened:
        yield await opened.enter_async_context(
            make(await _transport(target, log, opened), read_timeout_seconds=target.timeout_seconds)
        )


async def _transport(target: McpTarget, log: IO[bytes], opened: contextlib.AsyncExitStack) -> Any:
    if target.command is not None:
        from mcp import StdioServerParameters, stdio_client

        program, *arguments = target.command
        parameters = StdioServerParameters(
            command=program, args=arguments, env={**os.environ, **target.environment}
        )
        return stdio_client(parameters, errlog=log)  # type: ignore[arg-type]
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    client = httpx2.AsyncClient(headers=target.headers, timeout=target.timeout_seconds)
    await opened.enter_async_context(client)
    return streamable_http_client(target.url or "", http_client=client)


async def _call(client: Client, target: McpTarget, arguments: dict[str, Any]) -> Any:
    result = await client.call_tool(
        target.tool, arguments, read_timeout_seconds=target.timeout_seconds
    )
    texts = [block.text for block in result.content if block.type == "text"]
    if result.is_error:
        return _Refusal(texts[0] if texts else "no message")
    if result.structured_content is not None:
        return result.structured_content
    try:
        return json.loads(texts[0]) if texts else None
    except ValueError:
        return None


def _failed(name: str, what: str, error: BaseException | str, log: IO[bytes]) -> EvaluationError:
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - _LOG_BYTES))
    said = log.read().decode(errors="replace").strip().splitlines()
    reason = " ".join(str(_first(error)).split()) or type(error).__name__
    last = f"; it said last: {one_line(said[-1])}" if said else ""
    return EvaluationError(f"{name} {what}, so nothing is measured: {one_line(reason)}{last}")


def _first(error: BaseException | str) -> BaseException | str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def described(target: McpTarget) -> str:
    """Return what the target is, in one line, without a path of this machine."""
    where = (
        f"started by {Path(target.command[0]).name}"
        if target.command
        else f"at {urlsplit(target.url or '').hostname}"
    )
    return f"tool {target.tool} of an MCP server {where}"
