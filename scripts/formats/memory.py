"""Peak memory of the processes that read documents."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from scripts.bench.process import descendants

_SAMPLE_SECONDS = 0.05


class ReaderMemory(threading.Thread):
    """Samples the children of this process; to be used in a `with` statement.

    Attributes:
        peak_bytes: the most that one child held resident, by the kernel's own high-water mark.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_bytes = 0
        self._stopped = threading.Event()
        self._own = _command(os.getpid())

    def run(self) -> None:
        """Sample until told to stop."""
        while not self._stopped.wait(_SAMPLE_SECONDS):
            self._sample()

    def _sample(self) -> None:
        for pid in descendants(os.getpid()):
            # Between fork and exec a child still has our command line, and our memory.
            if pid != os.getpid() and _command(pid) != self._own:
                self.peak_bytes = max(self.peak_bytes, _high_water(pid))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self.join()


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _high_water(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0
