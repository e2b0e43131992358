"""Fixes the settings of fastmcp, which it takes from the environment when it is imported."""

from __future__ import annotations

import os
import sys

_FIXED = {
    "ENV_FILE": os.devnull,  # else it reads `.env` in the working directory
    "LOG_ENABLED": "false",
    "SHOW_SERVER_BANNER": "false",
    "CHECK_FOR_UPDATES": "off",
    "TELEMETRY_MODE": "off",
}


def pin_fastmcp() -> None:
    """Fix them, for this process and those that it starts.

    Raises:
        RuntimeError: fastmcp is imported already, so that it is too late.
    """
    if "fastmcp" in sys.modules:
        raise RuntimeError("fastmcp was imported before its settings were fixed")
    for name in [name for name in os.environ if name.startswith("FASTMCP_")]:
        del os.environ[name]
    os.environ.update({f"FASTMCP_{name}": value for name, value in _FIXED.items()})
