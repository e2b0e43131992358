"""A JSON-RPC client over pipes: the exact bytes of MCP stdio, and nothing that costs time."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from scripts.bench.errors import BenchError
from scripts.bench.process import last_line, resident_bytes

PROTOCOL_VERSION = "2025-06-18"


class StdioServer:
    """A spawned MCP server and one conversation with it.

    Attributes:
        spawned: the `perf_counter` reading just before the spawn.

    Args:
        command: program and arguments.
        cwd: its working folder; what it logs is kept there.
        env: its whole environment.
        timeout: seconds to wait for an answer, and for the end.
    """

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], timeout: float = 120
    ) -> None:
        self._log = cwd / "bench-server.txt"
        self._timeout = timeout
        self._buffer = b""
        self._next_id = 0
        with self._log.open("wb") as log:
            self.spawned = time.perf_counter()
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env=env,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self._stdin = cast("IO[bytes]", self._process.stdin)
        self._stdout = cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def initialize(self) -> dict[str, Any]:
        """Shake hands; returns what the server says of itself."""
        client = {"name": "bench", "version": "1"}
        params = {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}
        result = self.request("initialize", params)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def call_tool(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool.

        Raises:
            BenchError: the tool says that it failed.
        """
        result = self.request("tools/call", {"name": name, "arguments": dict(arguments)})
        if result.get("isError"):
            raise BenchError(f"tool {name} failed: {str(result.get('content'))[:200]}")
        return result

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer; other messages are passed over.

        Raises:
            BenchError: the server answers with an error, not in time, or not at all.
        """
        self._next_id += 1
        message = {"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params}
        self._send(message)
        while True:
            answer = json.loads(self._line())
            if answer.get("id") != self._next_id or "method" in answer:
                continue
            if "error" in answer:
                raise BenchError(f"{method}: {answer['error'].get('message', 'error')}")
            result: dict[str, Any] = answer["result"]
            return result

    def resident_bytes(self) -> int:
        """The resident set of the server now."""
        return resident_bytes(self._process.pid)

    def close(self) -> int:
        """Close its input and wait until it has ended; returns the exit code."""
        self._stdin.close()
        try:
            return self._process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            self._stdout.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        try:
            self._stdin.write(json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            raise BenchError(f"the server ended: {last_line(self._log)}") from None

    def _line(self) -> bytes:
        pipe = self._stdout.fileno()
        deadline = time.monotonic() + self._timeout
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise BenchError(f"no answer within {self._timeout:g} s")
            received = os.read(pipe, 1 << 16)
            if not received:
                raise BenchError(f"the server ended: {last_line(self._log)}")
            self._buffer += received
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line
