"""One process that reads documents, and is ended when it takes too long."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, cast

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.isolation.framing import LAST, READY

_COMMAND = (sys.executable, "-P", "-m", "groundkit_index.isolation.worker")

_START_SECONDS, _END_SECONDS = 60.0, 1.0


class IsolatedProcess:
    """Answers one request at a time; started when first asked, and again after each end.

    Args:
        seconds: how long one request may take.
        memory_bytes: address space that it may add.
    """

    def __init__(self, seconds: float, memory_bytes: int) -> None:
        self._seconds = seconds
        self._memory = memory_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._closed = False
        self._late = False

    def ask(self, request: bytes) -> bytes:
        """Return the answer to a request; both are one line of JSON.

        Raises:
            DocumentRefusedError: `too_slow`, or `crashed` when the process ended by itself.
        """
        process = self._process or self._start()
        with self._within(self._seconds, process):
            answer = _exchange(process, request)
        if answer.endswith(b"\n"):
            if answer[:1] == LAST:
                self._end()
            return answer[1:]
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)  # its output ends a moment before it does
        status = self._end()
        if self._late:
            raise DocumentRefusedError("too_slow", f"it takes more than {self._seconds:g} s")
        raise DocumentRefusedError("crashed", f"the process that read it ended ({status})")

    def close(self) -> None:
        """End the process for good, from any thread; who waits for an answer gets none."""
        with self._starting:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()

    def wait(self) -> None:
        """Wait for the end of what was closed, once nobody asks it any more."""
        self._end()

    def _end(self) -> int | None:
        """End the process; return its exit code, negative for a signal."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # what was not sent is not wanted any more
                cast(IO[bytes], stream).close()
        return process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._closed:
                raise DocumentRefusedError("crashed", "the process that reads it was closed")
            self._process = subprocess.Popen(  # noqa: S603  our own module
                [*_COMMAND, str(self._memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            )
            process = self._process
        with self._within(_START_SECONDS, process):
            ready = cast(IO[bytes], process.stdout).readline() == READY
        if not ready:
            status = self._end()
            raise DocumentRefusedError("crashed", f"no process could be started ({status})")
        return process

    @contextlib.contextmanager
    def _within(self, seconds: float, process: subprocess.Popen[bytes]) -> Iterator[None]:
        """Kill the process unless it is done in time."""
        self._late = False
        timer = threading.Timer(seconds, self._expire, [process])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _expire(self, process: subprocess.Popen[bytes]) -> None:
        self._late = True
        process.kill()


def _exchange(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    to, back = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
    try:
        to.write(request + b"\n")
        to.flush()
        return back.readline()
    except OSError:  # it is gone already
        return b""
