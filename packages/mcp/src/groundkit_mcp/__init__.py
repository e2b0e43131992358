"""Grounded retrieval for AI assistants over the Model Context Protocol."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundkit_mcp.context import ServiceContext
    from groundkit_mcp.operations import OPERATIONS, Operation
    from groundkit_mcp.server import build_server

__version__ = "0.1.0"

__all__ = ["OPERATIONS", "Operation", "ServiceContext", "build_server"]

_HOMES = {"ServiceContext": "context", "build_server": "server"}


def __getattr__(name: str) -> Any:
    # The protocol stack takes seconds to import, so nothing is imported before it is used.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'operations')}"), name)
