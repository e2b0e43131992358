"""What operators learn of the service: counts, spans and logs, and nothing that was asked."""

from groundkit_mcp.observability.counters import Counters
from groundkit_mcp.observability.watching import Watch

__all__ = ["Counters", "Watch"]
