"""Optional parts, imported when they are used."""

from __future__ import annotations

import importlib
import importlib.util
import os
from types import ModuleType

from groundkit_core.errors import EmbeddingError


def require(module: str, install: str) -> ModuleType:
    """Import an optional module.

    Args:
        module: its import name.
        install: what pip installs to get it, such as `groundkit-index[local]`.

    Raises:
        EmbeddingError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise _missing(module, install) from error


def expect(module: str, install: str) -> None:
    """Check that an optional module is there, without importing it.

    Raises:
        EmbeddingError: it is not installed.
    """
    if importlib.util.find_spec(module) is None:
        raise _missing(module, install)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _missing(module: str, install: str) -> EmbeddingError:
    return EmbeddingError(f"{module} is not installed; run `pip install '{install}'`")
