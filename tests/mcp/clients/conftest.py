"""Real clients of other makers against real server processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundkit_mcp.auth.static import new_token

HOME = Path(__file__).parents[2] / "conformance"
NODE = HOME / "node_modules/node/bin/node"
INSPECTOR = HOME / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"

Node = Callable[..., str]


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Node:
    """Runs a script where the client packages are, and returns what it prints."""
    if not (NODE.is_file() and INSPECTOR.is_file()):
        pytest.skip("the JavaScript clients are not installed: `make clients` installs them")
    home = str(tmp_path_factory.mktemp("home"))
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"

    def run(*arguments: object, stdin: str | None = None, **variables: str) -> str:
        ended = subprocess.run(
            [NODE, *map(str, arguments)],
            cwd=HOME,
            env={**os.environ, "HOME": home, "PATH": path, **variables},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    return run


@pytest.fixture(scope="session")
def sdk(node: Node) -> Callable[..., dict[str, Any]]:
    """Lists the tools and searches with the TypeScript SDK."""

    def run(server: dict[str, Any], query: str = "zebra engine") -> dict[str, Any]:
        asked = json.dumps({"server": server, "query": query})
        found: dict[str, Any] = json.loads(node("sdk_client.mjs", asked))
        return found

    return run


@pytest.fixture(scope="session")
def inspector(node: Node) -> Callable[..., dict[str, Any]]:
    """Runs the inspector's command line on a method."""

    def run(*arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(node(INSPECTOR, "--cli", *arguments))
        return found

    return run


@pytest.fixture(scope="session")
def local(command: tuple[str, ...], index_dir: Path, environment: dict[str, str]) -> dict[str, Any]:
    """How a client starts the server for itself."""
    program, *arguments = command
    arguments += ["serve", "--index-dir", str(index_dir)]
    return {"command": program, "args": arguments, "env": environment}


@pytest.fixture(scope="session")
def remote(
    command: tuple[str, ...],
    index_dir: Path,
    environment: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Any]]:
    """A server over HTTP that asks for a bearer token: its address and the headers it wants."""
    token, lines = new_token("client", ["search", "read"])
    tokens = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    tokens.write_text(lines)
    arguments = ("--index-dir", str(index_dir), "--port", "0", "--auth-tokens", str(tokens))
    with subprocess.Popen(
        [*command, "serve", "--http", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stderr is not None
            said = re.search(r"listening on (\S+/mcp)$", server.stderr.readline().rstrip())
            assert said is not None
            yield {"url": said[1], "headers": {"Authorization": f"Bearer {token}"}}
        finally:
            server.terminate()
