"""A server that cannot start says why in one line, and says nothing on the protocol's stream."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

if TYPE_CHECKING:
    from tests.mcp.conftest import Wire

Prepare = Callable[[Path], tuple[list[str], dict[str, str]]]


def _configuration_is_broken(folder: Path) -> tuple[list[str], dict[str, str]]:
    (folder / "groundkit.toml").write_text("limit = [")
    return [], {}


def _configuration_has_a_policy(folder: Path) -> tuple[list[str], dict[str, str]]:
    (folder / "groundkit.toml").write_text('profile = "auditor"\n')
    return [], {}


def _policy_is_missing(folder: Path) -> tuple[list[str], dict[str, str]]:
    return [], {"GROUNDKIT_POLICY": str(folder / "absent.toml")}


def _policy_widens(folder: Path) -> tuple[list[str], dict[str, str]]:
    (folder / "p.toml").write_text('version = 1\n[profiles.restricted]\nclasses = ["config"]\n')
    return [], {"GROUNDKIT_POLICY": str(folder / "p.toml")}


@pytest.mark.parametrize(
    "prepare",
    [
        _configuration_is_broken,
        _configuration_has_a_policy,
        _policy_is_missing,
        _policy_widens,
    ],
)
def test_the_cause_is_one_line_on_standard_error(
    start: Callable[..., Wire], environment: dict[str, str], tmp_path: Path, prepare: Prepare
) -> None:
    arguments, variables = prepare(tmp_path)
    wire = start(*arguments, env={**environment, **variables}, cwd=tmp_path)
    out, said = wire.end(20)
    assert out == ""
    assert wire.process.returncode in (1, 2)
    assert said.startswith("groundkit-mcp: ")
    assert said.count("\n") == 1
    assert len(said) > 40
    assert "Traceback" not in said


def test_a_client_that_starts_it_finds_the_cause_in_its_log(
    command: tuple[str, ...], environment: dict[str, str], tmp_path: Path
) -> None:
    parameters = StdioServerParameters(
        command=command[0],
        args=[*command[1:], "serve", "--reranker", "nonesuch"],
        env=environment,
        cwd=tmp_path,
    )

    async def connect() -> None:
        with (tmp_path / "log").open("w") as log:
            async with (
                stdio_client(parameters, errlog=log) as streams,
                ClientSession(*streams) as session,
            ):
                with anyio.fail_after(20), pytest.raises(Exception, match=r"(?i)closed"):
                    await session.initialize()

    anyio.run(connect)
    said = (tmp_path / "log").read_text()
    assert "no reranker 'nonesuch'; known: " in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("kind", ["file", "missing"])
def test_an_index_folder_that_is_none_is_told_to_whoever_asks(
    start: Callable[..., Wire], tmp_path: Path, kind: str
) -> None:
    place = tmp_path / "index"
    if kind == "file":
        place.write_text("no folder")
    wire = start("--index-dir", str(place)).initialize()
    answer = wire.call("search", query="zebra")
    assert answer.failed
    assert answer.kind in ("collection_not_found", "storage_error")
    assert str(tmp_path) not in answer.text
    assert wire.end()[0] == ""
