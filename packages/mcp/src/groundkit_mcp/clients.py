"""What to paste into an MCP client's configuration."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

CLIENTS = ("claude-desktop", "claude-code", "cursor", "vscode")

_NAME = "groundkit"


def snippet(
    client: str, *, docs: Path | None, index_dir: Path, collection: str | None
) -> dict[str, Any]:
    """Return the configuration of a client that starts the server.

    Every path in it is absolute, because clients start servers in folders of their own choice.

    Args:
        client: one of `CLIENTS`.
        docs: the folder to index at every start.
        index_dir: the folder that holds the collections.
        collection: None for the default.
    """
    command, *args = [*_launcher(), "serve", "--index-dir", str(index_dir.absolute())]
    if docs is not None:
        args += ["--docs", str(docs.absolute())]
    if collection is not None:
        args += ["--collection", collection]
    server: dict[str, Any] = {"command": command, "args": args}
    match client:
        case "claude-desktop" | "cursor":
            return {"mcpServers": {_NAME: server}}
        case "claude-code":
            return {"mcpServers": {_NAME: {"type": "stdio", **server}}}
        case "vscode":
            return {"servers": {_NAME: {"type": "stdio", **server}}}
        case _:
            raise ValueError(f"unknown client; there are: {', '.join(CLIENTS)}")


def _launcher() -> list[str]:
    """Return the command that starts this program again, whatever folder it starts in."""
    if "archive-v0" in Path(sys.prefix).parts:
        # `uvx` runs in an environment that its cache may drop.
        return [shutil.which("uvx") or "uvx", "groundkit-mcp"]
    script = Path(sys.executable).with_name("groundkit-mcp")
    if script.is_file():
        return [str(script)]
    return [sys.executable, "-P", "-m", "groundkit_mcp"]
