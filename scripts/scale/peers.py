"""An environment of its own for bm25s, which is measured but never a dependency."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scripts.bench.errors import BenchError

REQUIREMENT = "bm25s==0.3.16"
_COMPILER = "numba"


def install_bm25s(environment: Path) -> Path:
    """Install bm25s, with numba where that can be had; what is there already is kept.

    Returns:
        The environment's Python.

    Raises:
        BenchError: the environment cannot be made, or bm25s not installed.
    """
    python = environment / "bin" / "python"
    if _can(python, "-c", "import bm25s"):
        return python
    if not _can(Path(sys.executable), "-m", "venv", str(environment)):
        raise BenchError("no environment can be made for bm25s")
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if not _can(python, *pip, REQUIREMENT, _COMPILER) and not _can(python, *pip, REQUIREMENT):
        raise BenchError(f"{REQUIREMENT} cannot be installed")
    return python


def _can(python: Path, *arguments: str) -> bool:
    command = [str(python), *arguments]
    try:
        done = subprocess.run(command, env=os.environ, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0
