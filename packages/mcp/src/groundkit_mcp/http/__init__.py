"""MCP and REST over HTTP, one application."""

from groundkit_mcp.http.app import build_app
from groundkit_mcp.http.settings import HttpSettings

__all__ = ["HttpSettings", "build_app"]
