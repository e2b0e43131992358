"""Results as text for a model, within a budget."""

from groundkit_mcp.rendering.present import present

__all__ = ["present"]
