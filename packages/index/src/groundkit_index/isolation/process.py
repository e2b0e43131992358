"""One process that reads documents, and is ended when it takes too long."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import IO, cast

from groundkit_core.errors import DocumentRefusedError

_COMMAND = (sys.executable, "-P", "-m", "groundkit_index.isolation.worker")


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
        self._late = False

    def ask(self, request: bytes) -> bytes:
        """Return the answer to a request; both are one line of JSON.

        Raises:
            DocumentRefusedError: `too_slow`, or `crashed` when the process ended by itself.
        """
        process = self._process or self._start()
        self._late = False
        timer = threading.Timer(self._seconds, self._expire, [process])
        timer.daemon = True
        timer.start()
        try:
            answer = _exchange(process, request)
        finally:
            timer.cancel()
        if answer.endswith(b"\n"):
            return answer
        self.close()
        if self._late:
            raise DocumentRefusedError("too_slow", f"it takes more than {self._seconds:g} s")
        raise DocumentRefusedError("crashed", "the process that read it ended")

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(  # noqa: S603  our own module
            [*_COMMAND, str(self._memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        return self._process

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
