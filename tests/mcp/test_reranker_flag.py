"""A service that cannot rerank as it was told does not start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_an_unknown_reranker_stops_the_start(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "groundkit_mcp", "serve", "--reranker", "nonesuch"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "known: fastembed, maxsim" in done.stderr
