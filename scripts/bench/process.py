"""Running a command and measuring what it took."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.errors import BenchError

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")
_SAMPLE_SECONDS = 0.1
_OFFLINE = {
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "HF_HUB_OFFLINE": "1",
    "OTEL_SDK_DISABLED": "true",
    "TRANSFORMERS_OFFLINE": "1",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
}


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended well.

    Attributes:
        seconds: wall time from spawn to exit.
        cpu_seconds: processor time, user and system, its children included.
        peak_bytes: the most memory it held, its children included.
        stdout: what it printed.
    """

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    stdout: str


def environment(home: Path) -> dict[str, str]:
    """A plain environment without the user's settings, from which no network is reached."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return kept | _OFFLINE | {"HOME": str(home)}


def run(
    command: Sequence[str],
    *,
    logs: Path,
    env: Mapping[str, str],
    cwd: Path | None = None,
    timeout: float = 1800,
) -> Finished:
    """Run a command to its end and measure it.

    The peak is the larger of `ru_maxrss` of the process (which also covers its largest
    child) and the sampled sum of the proportional set sizes of the whole process tree.

    Args:
        command: program and arguments.
        logs: the folder for its output.
        env: its whole environment.
        cwd: its working folder; `logs` by default.
        timeout: seconds after which it is killed.

    Raises:
        BenchError: it exited with another code than 0.
    """
    out, err = logs / "bench-stdout.txt", logs / "bench-stderr.txt"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=cwd or logs,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
        )
        tree = _TreeSampler(process.pid, timeout)
        tree.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    tree.stop()
    if process.returncode:
        raise BenchError(f"exit code {process.returncode}: {last_line(err)}")
    stdout_text = out.read_text(encoding="utf-8", errors="replace")
    cpu_seconds = usage.ru_utime + usage.ru_stime
    peak_bytes = max(usage.ru_maxrss * 1024, tree.peak_bytes)
    return Finished(seconds, cpu_seconds, peak_bytes, stdout_text)


def last_line(path: Path) -> str:
    """The last line that a command wrote, for an error message."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "no message")


class _TreeSampler(threading.Thread):
    """Samples a process tree while it runs, and kills its root when time is up."""

    def __init__(self, pid: int, timeout: float) -> None:
        super().__init__(daemon=True)
        self.peak_bytes = 0
        self._pid = pid
        self._deadline = time.monotonic() + timeout
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.wait(_SAMPLE_SECONDS):
            pids = list(descendants(self._pid))
            if len(pids) > 1:
                self.peak_bytes = max(self.peak_bytes, sum(map(proportional_bytes, pids)))
            if time.monotonic() > self._deadline:
                with suppress(ProcessLookupError):
                    os.kill(self._pid, 9)
                return

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def descendants(pid: int) -> Iterator[int]:
    """The process and all that descend from it, as far as they still run."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(OSError):
            children = (task / "children").read_text(encoding="ascii").split()
            for child in children:
                yield from descendants(int(child))


def _kilobytes(path: Path, field: str) -> int:
    with suppress(OSError):
        for line in path.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1])
    return 0


def proportional_bytes(pid: int) -> int:
    """The memory of a process with shared pages divided among their users; 0 when it is gone."""
    return _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss") * 1024


def resident_bytes(pid: int | str = "self") -> int:
    """The resident set of a process, mapped files included; 0 when it is gone."""
    return _kilobytes(Path(f"/proc/{pid}/status"), "VmRSS") * 1024
