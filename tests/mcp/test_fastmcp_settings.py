"""The settings of the protocol library are the service's, whoever started it where."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from groundkit_mcp.fastmcp_settings import pin_fastmcp

SERVING = ("groundkit_mcp.stdio", "groundkit_mcp.http", "groundkit_mcp.http.serving")


@pytest.mark.parametrize("module", SERVING)
def test_they_are_fixed_before_the_library_is_imported(module: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FASTMCP_TELEMETRY_MODE=native\nFASTMCP_LOG_LEVEL=nonsense\n")
    script = (
        f"import {module}\n"
        "from groundkit_mcp.fastmcp_settings import pin_fastmcp\n"
        "pin_fastmcp()\n"
        "from groundkit_mcp.http import build_app\n"
        "from fastmcp import settings\n"
        "print(settings.log_enabled, settings.telemetry_mode, settings.check_for_updates)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env={**os.environ, "FASTMCP_LOG_ENABLED": "true"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("False off off\n", "")


def test_to_fix_them_too_late_is_an_error() -> None:
    import fastmcp  # noqa: F401  imported is all it needs to be

    before = dict(os.environ)
    with pytest.raises(RuntimeError, match="before"):
        pin_fastmcp()
    assert dict(os.environ) == before
