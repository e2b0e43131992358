"""The machine by what matters for speed: no host name, no path."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Machine:
    """What the figures were measured on.

    Attributes:
        cpu: the processor's model name.
        cores: processors this process may run on.
        memory_bytes: installed memory.
        system: kernel name and release.
        python: interpreter and version.
        load_1m: load average over the last minute, before the benchmark.
    """

    cpu: str
    cores: int
    memory_bytes: int
    system: str
    python: str
    load_1m: float


def _field(text: str, name: str) -> str | None:
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def cpu_model(cpuinfo: str) -> str:
    """The model name in the text of `/proc/cpuinfo`; `unknown` where it has none."""
    return _field(cpuinfo, "model name") or _field(cpuinfo, "Model") or "unknown"


def memory_bytes(meminfo: str) -> int:
    """The installed memory in the text of `/proc/meminfo`; 0 where it is not said."""
    value = _field(meminfo, "MemTotal")
    return int(value.split()[0]) * 1024 if value else 0


def describe() -> Machine:
    """Describe the machine this runs on."""
    return Machine(
        cpu=cpu_model(Path("/proc/cpuinfo").read_text(encoding="utf-8")),
        cores=len(os.sched_getaffinity(0)),
        memory_bytes=memory_bytes(Path("/proc/meminfo").read_text(encoding="utf-8")),
        system=f"{platform.system()} {platform.release()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        load_1m=round(os.getloadavg()[0], 2),
    )
