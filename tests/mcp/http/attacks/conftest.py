from __future__ import annotations

from tests.mcp.http.attacks.deployed import deployed

__all__ = ["deployed"]
