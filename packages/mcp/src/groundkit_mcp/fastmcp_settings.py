"""Fixes the settings of fastmcp, which it takes from the environment when it is imported."""

from __future__ import annotations

import os

_FIXED = {
    "ENV_FILE": os.devnull,  # else it reads `.env` in the working directory
    "LOG_ENABLED": "false",
    "SHOW_SERVER_BANNER": "false",
    "CHECK_FOR_UPDATES": "off",
    "TELEMETRY_MODE": "off",
}


def pin_fastmcp() -> None:
    """Fix them; to be called before the import."""
    for name in [name for name in os.environ if name.startswith("FASTMCP_")]:
        del os.environ[name]
    os.environ.update({f"FASTMCP_{name}": value for name, value in _FIXED.items()})
