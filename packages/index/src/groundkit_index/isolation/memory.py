"""How much memory the reading process may use, where the system tells and limits it."""

from __future__ import annotations

import contextlib
from pathlib import Path

_STATUS = Path("/proc/self/status")
_NEARLY = 0.8


class MemoryLimit:
    """A limit on the address space of this process.

    Args:
        added: bytes that may come to what is in use now.
    """

    def __init__(self, added: int) -> None:
        self._before = _kilobytes("VmSize:") * 1024
        self._added = added
        with contextlib.suppress(ImportError, OSError, ValueError):
            import resource

            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (self._before + added, hard))

    @property
    def reached(self) -> bool:
        """Whether the process once came near the limit; parsers do not say why they gave up."""
        peak = _kilobytes("VmPeak:") * 1024
        return peak - self._before > _NEARLY * self._added


def _kilobytes(name: str) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in _STATUS.read_text(encoding="ascii").splitlines():
            if line.startswith(name):
                return int(line.split()[1])
    return 0
