"""Who may ask: bearer tokens over HTTP, nobody but the owner elsewhere."""

from groundkit_mcp.auth.caller import LOCAL, Caller

__all__ = ["LOCAL", "Caller"]
