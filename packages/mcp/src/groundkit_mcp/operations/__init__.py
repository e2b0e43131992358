"""What the service can be asked, declared once for every surface."""

from groundkit_mcp.operations.operation import Operation
from groundkit_mcp.operations.registry import OPERATIONS

__all__ = ["OPERATIONS", "Operation"]
