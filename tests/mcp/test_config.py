"""The snippets are what clients expect, and what they start works."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastmcp import Client

from groundkit_mcp.cli import main
from groundkit_mcp.sync import RUNNING_NOTE

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command in `tmp_path`: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        assert isinstance(ended.value.code, int)
        return (ended.value.code, *capfd.readouterr())

    return call


@pytest.mark.parametrize(
    ("client", "key", "typed"),
    [
        ("claude-desktop", "mcpServers", False),
        ("claude-code", "mcpServers", True),
        ("cursor", "mcpServers", False),
        ("vscode", "servers", True),
    ],
)
def test_a_snippet_has_the_shape_of_its_client_and_absolute_paths(
    run: Run, tmp_path: Path, client: str, key: str, typed: bool
) -> None:
    (tmp_path / "docs").mkdir()
    code, out, err = run("config", "--client", client, "--docs", "docs", "--collection", "notes")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert list(found) == [key]
    server = found[key]["groundkit"]
    assert server.get("type") == ("stdio" if typed else None)
    assert Path(server["command"]).is_file()
    arguments = server["args"][server["args"].index("serve") :]
    assert arguments == [
        *("serve", "--index-dir", str(tmp_path / ".groundkit")),
        *("--docs", str(tmp_path / "docs"), "--collection", "notes"),
    ]


def test_a_snippet_starts_a_working_server_anywhere(
    run: Run, documents: Path, tmp_path: Path
) -> None:
    index = str(tmp_path / "index")
    _, out, _ = run("config", "--client", "cursor", "--docs", str(documents), "--index-dir", index)
    config: dict[str, Any] = json.loads(out)
    config["mcpServers"]["groundkit"]["cwd"] = "/"

    async def use() -> Any:
        async with Client(config) as client:
            return await client.call_tool("search", {"query": "zebra engine"})

    found = anyio.run(use).structured_content
    assert found["metadata"]["collection"] == "default"
    if found["status"] == "OK":
        assert found["results"][0]["citation"]["source"] == "guide/install.md"
    else:
        assert found["coverage"]["notes"] == [RUNNING_NOTE]


def test_the_launcher_outlives_the_environment_it_was_asked_in(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def command() -> list[str]:
        server = json.loads(run("config", "--client", "cursor")[1])["mcpServers"]["groundkit"]
        return [Path(server["command"]).name, *server["args"]]

    assert command()[:2] == ["groundkit-mcp", "serve"]
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert command()[:5] == ["python", "-P", "-m", "groundkit_mcp", "serve"]
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "uv/archive-v0/Xyz"))
    assert command()[:3] == ["uvx", "groundkit-mcp", "serve"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["config"], 2, "--client"),
        (["config", "--client", "emacs"], 2, "claude-desktop"),
        (["config", "--client", "cursor", "--docs", "absent"], 1, "no folder 'absent'"),
        (["config", "--client", "cursor", "--collection", "../x"], 2, "collection"),
        (["serve", "--collection", "a/b"], 2, "collection"),
        (["serve", "--port", "1"], 2, "--help"),
        (["serve", "extra"], 2, "extra"),
        (["sing"], 2, "sing"),
    ],
)
def test_a_wrong_call_is_one_line_on_stderr(
    run: Run, arguments: list[str], code: int, says: str
) -> None:
    ended, out, err = run(*arguments)
    assert (ended, out) == (code, "")
    assert says in err
    assert err.count("\n") == 1
    assert err.startswith("groundkit-mcp: ")


def test_version_and_help_are_told(run: Run) -> None:
    assert run("--version") == (0, "groundkit-mcp, version 0.1.0\n", "")
    assert "--docs" in run("serve", "--help")[1]


def test_settings_come_from_the_environment_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDKIT_INDEX_DIR", str(tmp_path / "elsewhere"))
    found = json.loads(run("config", "--client", "vscode")[1])
    assert str(tmp_path / "elsewhere") in found["servers"]["groundkit"]["args"]
    monkeypatch.setenv("GROUNDKIT_COLLECTION", "../up")
    code, out, err = run("config", "--client", "vscode")
    assert (code, out) == (2, "")
    assert "GROUNDKIT_COLLECTION" in err
