"""MCP and REST over HTTP, one application."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundkit_mcp.http.app import build_app
    from groundkit_mcp.http.settings import HttpSettings

__all__ = ["HttpSettings", "build_app"]

_HOMES = {"HttpSettings": "settings", "build_app": "app"}


def __getattr__(name: str) -> Any:
    # The application imports fastmcp, whose settings must be fixed before that.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
