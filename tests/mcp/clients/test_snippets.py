"""Every snippet of docs/clients.md is run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastmcp import Client

from groundkit_mcp.clients import CLIENTS, snippet

PAGE = (Path(__file__).parents[3] / "docs/clients.md").read_text(encoding="utf-8")
PROGRAM = "/opt/groundkit/bin/groundkit-mcp"


def block(heading: str, language: str) -> str:
    """Return the one block of a language below a heading."""
    _, _, section = PAGE.partition(f"\n## {heading}\n")
    (found,) = re.findall(rf"```{language}\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    text: str = found
    return text


TITLES = {
    "claude-desktop": "Claude Desktop",
    "claude-code": "Claude Code",
    "cursor": "Cursor",
    "vscode": "VS Code",
}


@pytest.mark.parametrize("client", CLIENTS)
def test_a_snippet_is_what_the_command_prints(client: str) -> None:
    (servers,) = json.loads(block(TITLES[client], "json")).values()
    folders = {"docs": Path("/srv/handbook"), "index_dir": Path("/srv/groundkit")}
    (printed,) = snippet(client, **folders, collection=None).values()
    server = printed["groundkit"]
    server["args"] = server["args"][server["args"].index("serve") :]
    assert servers == {"groundkit": {**server, "command": PROGRAM}}


@pytest.mark.parametrize("client", CLIENTS)
def test_the_server_of_a_snippet_answers_the_typescript_sdk(
    sdk: Callable[..., dict[str, Any]], local: dict[str, Any], index_dir: Path, client: str
) -> None:
    (servers,) = json.loads(block(TITLES[client], "json")).values()
    server = servers["groundkit"]
    assert server.pop("type", "stdio") == "stdio"
    place = server["args"].index("/srv/groundkit")
    docs = server["args"].index("--docs")
    given = [*server["args"][:place], str(index_dir), *server["args"][place + 1 : docs]]
    start = local["args"][: local["args"].index("serve")]
    server |= {"command": local["command"], "args": [*start, *given], "env": local["env"]}
    assert sdk(server)["structuredContent"]["status"] == "OK"


def test_the_remote_configuration_reaches_a_server_with_a_token(remote: dict[str, Any]) -> None:
    config = json.loads(block("A remote server", "json"))
    server = config["mcpServers"]["groundkit"]
    assert server["headers"] == {"Authorization": "Bearer ${GROUNDKIT_TOKEN}"}
    server |= {"url": remote["url"], "headers": remote["headers"]}

    async def ask() -> Any:
        async with Client(config) as client:
            return await client.call_tool("search", {"query": "zebra engine"})

    assert anyio.run(ask).structured_content["status"] == "OK"


def test_the_remote_program_runs_as_it_stands(
    node: Callable[..., str], remote: dict[str, Any]
) -> None:
    token = remote["headers"]["Authorization"].removeprefix("Bearer ")
    script = block("A remote server", "js")
    said = node(
        *("--input-type=module", "-"),
        stdin=script,
        GROUNDKIT_URL=remote["url"],
        GROUNDKIT_TOKEN=token,
    )
    assert said.splitlines()[0].split(", ")[0] == "search"
    assert "guide/install.md:1" in said
    assert "zebra-setup" in said
